/** The format of the simulator's tokens. Nothing else that the backend says has it. */
const TOKEN = /\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/;

/** Names the secret that a text contains, without repeating it; undefined if it contains none. */
export function secretIn(text: string, keys: string[]): string | undefined {
  if (keys.some((key) => text.includes(key))) {
    return 'the key';
  }
  return TOKEN.test(text) ? 'a token' : undefined;
}
