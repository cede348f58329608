import type { Dice } from './dice';

// No text of the plugin contains these by chance. Escaping changes what follows them in a secret.
const keyMark = 'k3y-that-nobody-may-see';
const tokenMark = 't0ken-that-nobody-may-see';

/** The secrets of a case. */
export interface Secrets {
  key: string;
  token: string;
}

/** Secrets with characters that JSON, URLs, and HTML escape in several ways. */
export function makeSecrets(dice: Dice): Secrets {
  const tail = () => Array.from({ length: dice.int(0, 4) }, () => dice.pick(['/', '=', '"', '+', '&', 'a', '<', '\\']));
  // A header can't contain control characters, and loses spaces at either end.
  return { key: [...tail(), keyMark, ...tail()].join(''), token: [...tail(), tokenMark, ...tail()].join('') };
}

/** A secret as a service can echo it: unchanged, or escaped in one of the ways of JSON, URLs, and HTML. */
export function written(secret: string, dice: Dice): string {
  const json = JSON.stringify(secret).slice(1, -1);
  return dice.pick([
    secret,
    json,
    json.replaceAll('/', '\\/'),
    json.replace(/[=&<+]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`),
    encodeURIComponent(secret),
    secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;'),
  ]);
}

/** The position of a secret in a text, in any form; -1 if there is none. */
export function secretAt(text: string): number {
  return text.search(new RegExp(`${keyMark}|${tokenMark}`));
}
