import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pageOf, type Case } from './case';
import { Dice } from './dice';
import { answerBroken } from './faults';
import { spoiled } from './mutate';
import { written } from './secrets';

/** A requested page, as it was sent. */
export interface SentPage {
  number: number;
  body: Buffer;
  isTrue: boolean;
}

/** The requests of a case to the service. */
export interface Played {
  of: Case;
  /** Number of requests so far, by address. */
  requests: Map<string, number>;
  /** Pages by data set, days, and number. */
  pages: Map<string, Map<number, SentPage>>;
}

const routes: Record<string, string> = {
  '/api/v1/insights/tasks': 'tasks',
  '/api/v1/insights/automation': 'automations',
  '/api/v1/insights/runner': 'runners',
};

/** Sends a complete and correct body, in one of the ways that HTTP allows. */
async function send(response: ServerResponse, body: Buffer, dice: Dice): Promise<void> {
  const packed = dice.chance(0.2);
  const sent = packed ? gzipSync(body) : body;
  response.statusCode = dice.weighted([
    [12, 200],
    [1, dice.pick([201, 203, 206, 299])],
  ]);
  response.setHeader(
    'Content-Type',
    dice.pick(['application/json', 'application/json;charset=UTF-8', 'text/plain', ''])
  );
  if (packed) {
    response.setHeader('Content-Encoding', 'gzip');
  }
  if (dice.chance(0.6)) {
    response.setHeader('Content-Length', sent.length);
  }
  const pause = dice.pick([0, 0, 0, 1, 20]);
  const pieces = dice.pick([1, 1, 2, 5]);
  for (let piece = 0; piece < pieces; piece += 1) {
    response.write(sent.subarray((sent.length * piece) / pieces, (sent.length * (piece + 1)) / pieces));
    await new Promise((resolve) => (pause > 0 ? setTimeout(resolve, pause) : setImmediate(resolve)));
  }
  response.end();
}

function loginBody({ secrets }: Case, dice: Dice): Buffer {
  const { token } = secrets;
  const organizationLabel = 'acme';
  const right = dice.pick([
    { accessToken: token, organizationLabel },
    { token, organization: { label: organizationLabel } },
    { access_token: token, organizations: [organizationLabel], expires: 3600 },
  ]);
  return Buffer.from(JSON.stringify(right));
}

/** The secret of a request. The plugin can't know a token that it never received because its login was spoiled. */
function sentSecret({ secrets }: Case, isLogin: boolean, { headers }: IncomingMessage): string {
  if (isLogin) {
    return secrets.key;
  }
  return headers.token === secrets.token ? secrets.token : 'whoever you are';
}

/** The services of all cases in flight, each under its own path, which is the seed. */
export class FuzzService {
  private readonly cases = new Map<string, Played>();
  private readonly server: Server = createServer((request, response) => {
    this.answer(request, response).catch(() => response.destroy());
  });

  async start(): Promise<void> {
    this.server.on('clientError', (_error, socket) => socket.destroy());
    this.server.on('connection', (socket) => socket.on('error', () => undefined));
    this.server.listen(0, '127.0.0.1');
    await new Promise((resolve) => this.server.once('listening', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  /** Starts to serve a case, and returns a record of its requests. */
  open(of: Case): Played {
    const played = { of, requests: new Map(), pages: new Map() };
    this.cases.set(String(of.seed), played);
    return played;
  }

  end({ of }: Played): void {
    this.cases.delete(String(of.seed));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, seed, rest = ''] = /^\/(\d+)(\/[^?]*)/.exec(request.url ?? '') ?? [];
    const played = this.cases.get(seed ?? '');
    if (!played) {
      response.writeHead(404).end();
      return;
    }
    const { of } = played;
    const address = request.url ?? '';
    const attempt = (played.requests.get(address) ?? 0) + 1;
    played.requests.set(address, attempt);
    const dice = new Dice(of.seed, 'request', address.slice(seed.length), attempt);
    const isLogin = rest === '/api/v2/workspace/login';
    const asked = isLogin ? await text(request) : '';
    const page = isLogin ? undefined : this.page(played, rest, address, request);
    const right = isLogin ? loginBody(of, dice) : page?.body;
    if (dice.chance(isLogin ? of.loginFaults : of.faults)) {
      const secret = written(sentSecret(of, isLogin, request), dice);
      // Part of a spoiled page could be a valid page, which would go unnoticed.
      const body = right === undefined || page?.isTrue === false ? Buffer.from('{"message":"no"}') : right;
      answerBroken(response.socket!, { dice, address, body, secret });
    } else if (isLogin ? !asked.includes(JSON.stringify(of.secrets.key)) : request.headers.token !== of.secrets.token) {
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"message":"who are you?"}');
    } else if (right === undefined) {
      response.writeHead(404).end();
    } else {
      const isSpoiled = isLogin && dice.chance(of.loginFaults);
      await send(response, isSpoiled ? spoiled(right.toString(), dice, of.secrets.key) : right, dice);
    }
  }

  private page({ of, pages }: Played, path: string, address: string, request: IncomingMessage): SentPage | undefined {
    const set = routes[path];
    if (request.method !== 'GET' || set === undefined) {
      return undefined;
    }
    const parameters = new URL(address, this.url).searchParams;
    const days = parameters.get('days') ?? parameters.get('filterBy');
    const number = Number(parameters.get('page') ?? 0);
    const page = { number, ...pageOf(of, set, number, Number(parameters.get('size') ?? 0)) };
    const list = `${set} ${days}`;
    pages.set(list, (pages.get(list) ?? new Map()).set(number, page));
    return page;
  }
}
