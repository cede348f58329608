import { randomUUID } from 'node:crypto';

import type { SimulatorOptions } from './options';

/** The format of tokens: nothing else that the plugin writes has it. */
export const tokens = /\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/;

/** The issued tokens. They expire by the wall clock, regardless of the world's time. */
export class Sessions {
  /** Expiry of each token, in milliseconds. */
  private readonly tokens = new Map<string, number>();
  private key: string;

  constructor(private readonly options: SimulatorOptions) {
    this.key = options.key;
  }

  /** A new token, or null if the login or the key is wrong. */
  login(login: unknown, key: unknown): string | null {
    if (login !== this.options.login || key !== this.key) {
      return null;
    }
    const token = randomUUID();
    this.tokens.set(token, Date.now() + this.options.tokenLifetime * 1000);
    return token;
  }

  knows(token: string): boolean {
    const expires = this.tokens.get(token);
    if (expires === undefined) {
      return false;
    }
    if (Date.now() >= expires) {
      this.tokens.delete(token);
      return false;
    }
    return true;
  }

  expireAll() {
    this.tokens.clear();
  }

  /** Replaces the key that logins accept, and ends the sessions of the previous one. */
  rotateKey(key: string) {
    this.key = key;
    this.expireAll();
  }
}
