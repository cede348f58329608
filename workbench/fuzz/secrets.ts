import type { Dice } from './dice';

// No text of the plugin holds these by chance. What follows them in a secret is what escaping changes.
const keyMark = 'k3y-that-nobody-may-see';
const tokenMark = 't0ken-that-nobody-may-see';

/** The secrets of one case. */
export interface Secrets {
  key: string;
  token: string;
}

/** Secrets in which stand characters that JSON, addresses and HTML write in several ways. */
export function makeSecrets(dice: Dice): Secrets {
  const tail = () => Array.from({ length: dice.int(0, 4) }, () => dice.pick(['/', '=', '"', '+', '&', 'a', '<', '\\']));
  // A header takes no control characters, and no text around it survives a blank at an end.
  return { key: [...tail(), keyMark, ...tail()].join(''), token: [...tail(), tokenMark, ...tail()].join('') };
}

/** A secret as a service may write it back: as it is, or escaped in one of the ways of JSON, addresses and HTML. */
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

/** Where a secret begins in a text, however it is written; -1 where there is none. */
export function secretAt(text: string): number {
  return text.search(new RegExp(`${keyMark}|${tokenMark}`));
}
