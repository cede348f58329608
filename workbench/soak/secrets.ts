/** The simulator's tokens look like this, and nothing that the backend says does. */
const TOKEN = /\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/;

/** Which secret a text gives away, without repeating it; nothing when it keeps them all. */
export function secretIn(text: string, keys: string[]): string | undefined {
  if (keys.some((key) => text.includes(key))) {
    return 'the key';
  }
  return TOKEN.test(text) ? 'a token' : undefined;
}
