// Finds secrets in the plugin's output. Shares nothing with the plugin's own masking: that code escapes a secret in
// every way it knows and searches for the result, while this code undoes every escape and searches for the secret.

const entities: Record<string, string> = {
  quot: '"',
  amp: '&',
  apos: "'",
  lt: '<',
  gt: '>',
  sol: '/',
  bsol: '\\',
  equals: '=',
  plus: '+',
  percnt: '%',
  eacute: 'é',
};

const character = (code: number, otherwise: string) =>
  code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : otherwise;

const controls: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

function fromJson(text: string): string {
  return text.replace(/\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|(["\\/bfnrt]))/gi, (_, u, x, plain) =>
    plain ? (controls[plain] ?? plain) : String.fromCharCode(parseInt(u ?? x, 16))
  );
}

function fromPercent(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
}

function fromHtml(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|([a-z]+));?/gi, (all, hex, decimal, name) =>
    name ? (entities[name.toLowerCase()] ?? all) : character(parseInt(hex ?? decimal, hex ? 16 : 10), all)
  );
}

const decoders = [fromJson, fromPercent, fromHtml];

/** A text unchanged, and with up to four layers of escapes undone. */
export function readings(text: string): Set<string> {
  const found = new Set([text]);
  let last = [text];
  for (let layer = 0; layer < 4; layer += 1) {
    last = last.flatMap((one) => decoders.map((decode) => decode(one))).filter((one) => !found.has(one));
    last.forEach((one) => found.add(one));
  }
  return found;
}

/** This many consecutive characters of a secret are a leak. */
const telling = 8;

/** Whether a text contains one of the secrets, or part of one, in any form. */
export function leaks(text: string, secrets: string[]): boolean {
  const parts = secrets.flatMap((secret) =>
    Array.from({ length: Math.max(1, secret.length - telling + 1) }, (_, at) => secret.slice(at, at + telling))
  );
  return [...readings(text)].some((reading) => {
    const lower = reading.toLowerCase();
    return parts.some((part) => lower.includes(part.toLowerCase()));
  });
}

const hex = (code: number) => code.toString(16).padStart(4, '0');
const each = (text: string, change: (character: string, code: number) => string) =>
  text.replace(/[^A-Za-z0-9]/g, (one) => change(one, one.charCodeAt(0)));
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** A way in which a service can write a secret. */
export interface Form {
  name: string;
  write: (secret: string) => string;
  /** It is valid in a JSON text as it is; JSON.stringify writes all others. */
  json?: true;
}

/** The ways in which services, proxies, and frameworks write what they received. */
export const forms: Form[] = [
  { name: 'unchanged', write: (secret) => secret },
  { name: 'in JSON', write: inJson, json: true },
  { name: 'in JSON, \\/', write: (secret) => inJson(secret).replaceAll('/', '\\/'), json: true },
  { name: 'in JSON, \\u003d', write: (secret) => each(secret, (_, code) => `\\u${hex(code)}`), json: true },
  {
    name: 'in JSON, \\u003D',
    write: (secret) => each(secret, (_, code) => `\\u${hex(code).toUpperCase()}`),
    json: true,
  },
  {
    name: 'in JSON, all \\u',
    write: (secret) => secret.replace(/[^]/g, (one) => `\\u${hex(one.charCodeAt(0))}`),
    json: true,
  },
  { name: 'in JSON in JSON', write: (secret) => inJson(inJson(secret).replaceAll('/', '\\/')), json: true },
  { name: 'percent-encoded, %2F', write: encodeURIComponent },
  {
    name: 'percent-encoded, %2f',
    write: (secret) => encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
  },
  { name: 'percent-encoded twice', write: (secret) => encodeURIComponent(encodeURIComponent(secret)) },
  {
    name: 'percent-encoded, every character',
    write: (secret) => [...Buffer.from(secret)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  },
  {
    name: 'in HTML, &quot; and &#x2F;',
    write: (secret) =>
      each(secret, (one, code) => ({ '"': '&quot;', '<': '&lt;', '>': '&gt;' })[one] ?? `&#x${code.toString(16)};`),
  },
  { name: 'in HTML, &#47;', write: (secret) => each(secret, (_, code) => `&#${code};`) },
  {
    name: 'in HTML, &#X2F;, every character',
    write: (secret) => secret.replace(/[^]/g, (one) => `&#X${one.charCodeAt(0).toString(16).toUpperCase()};`),
  },
  {
    name: 'in HTML in JSON',
    write: (secret) => inJson(each(secret, (_, code) => `&#x${code.toString(16)};`)),
    json: true,
  },
];
