import { randomUUID } from 'node:crypto';

import type { SimulatorOptions } from './options';

/** Who is logged in. Tokens live by the wall clock, whatever time the world has. */
export class Sessions {
  /** When each token expires, in milliseconds. */
  private readonly tokens = new Map<string, number>();
  private key: string;

  constructor(private readonly options: SimulatorOptions) {
    this.key = options.key;
  }

  /** A new token, or null when login or key is not the right one. */
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

  /** Puts another key in place of the one that logins take; what was opened with the old one is closed. */
  rotateKey(key: string) {
    this.key = key;
    this.expireAll();
  }
}
