import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Dice } from './dice';

/** The ingredients of a faulty response. */
export interface Broken {
  dice: Dice;
  /** The requested address: path and query. */
  address: string;
  /** The body of a correct response. */
  body: Buffer;
  /** A secret, in a form that the service uses. */
  secret: string;
}

type Fault = (socket: Socket, broken: Broken) => void;

const head = (status: string, ...headers: string[]) => [`HTTP/1.1 ${status}`, ...headers, '', ''].join('\r\n');
const json = 'Content-Type: application/json';
const close = 'Connection: close';

function messageBody({ dice, secret }: Broken): string {
  const long = 'all is lost. '.repeat(dice.pick([0, 1, 400]));
  return dice.pick([
    `{"message":"${long}${secret.replaceAll('"', '\\"')} is not welcome"}`,
    JSON.stringify({ message: `${long}${secret}`, details: [secret] }),
    JSON.stringify({ message: { [secret]: secret } }),
    `${long}${secret} is not welcome`,
    `<html><body>${long}${secret}</body></html>`,
    '',
    '\0\x1b[31m\r\n\xff',
  ]);
}

const status: Fault = (socket, broken) => {
  const { dice, secret } = broken;
  const code = dice.weighted([
    [3, dice.pick([400, 401, 403, 404, 429, 500, 502, 503])],
    [3, dice.int(300, 599)],
    [1, dice.int(100, 199)],
  ]);
  const after = dice.pick(['0', '1', 'soon', '-1', '99999999999', 'Fri, 20 Nov 2026 10:05:00 GMT', secret]);
  const body = messageBody(broken);
  const headers = [
    close,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(dice.chance(0.5) ? [`Retry-After: ${after}`] : []),
  ];
  socket.end(head(`${code} ${dice.pick(['Some Reason', '', secret])}`, json, ...headers) + body);
};

const redirect: Fault = (socket, { dice, address, secret }) => {
  const code = dice.pick([301, 302, 303, 307, 308]);
  const to = dice.pick([
    ...[address, `${address}&again=1`, '/elsewhere', '', `http://other.invalid/${secret}`, `http://${secret}.invalid/`],
    ...['//other.invalid', 'ftp://x', 'http://%zz', 'https://127.0.0.1:1/', `?${secret}`],
  ]);
  socket.end(head(`${code} Found`, `Location: ${to}`, 'Content-Length: 0', close));
};

const cut: Fault = (socket, { dice, body }) => {
  const part = body.subarray(0, dice.int(0, Math.max(0, body.length - 1)));
  const length = dice.pick([`Content-Length: ${body.length + 1}`, 'Transfer-Encoding: chunked']);
  const chunk = length.startsWith('T')
    ? Buffer.concat([Buffer.from(`${(part.length + 1).toString(16)}\r\n`), part])
    : part;
  socket.write(head('200 OK', json, length));
  socket.write(chunk, () => (dice.chance(0.5) ? socket.end() : socket.resetAndDestroy()));
};

const short: Fault = (socket, { dice, body }) => {
  const length = dice.pick(['5', '-1', 'x', '99999999999999999999', `${body.length}\r\nContent-Length: 1`]);
  socket.write(head('200 OK', json, `Content-Length: ${length}`, close));
  socket.end(body);
};

const headers: Fault = (socket, { dice, secret, body }) => {
  const line = dice.pick([
    ...[
      `${secret}`,
      `X Y: ${secret}`,
      `: ${secret}`,
      `X-Long: ${'y'.repeat(100_000)}`,
      `Content-Type: ${secret}`,
      'X: \0',
    ],
    ...['Transfer-Encoding: gzip', `Set-Cookie: a=${secret}`, 'Content-Encoding: br', `Content-Encoding: ${secret}`],
    ...['Transfer-Encoding: chunked', 'Upgrade: h2c', `Trailer: ${secret}`],
  ]);
  // Half a body is not a page, whatever the header says.
  socket.end(Buffer.concat([Buffer.from(head('200 OK', line, close)), body.subarray(0, body.length / 2)]));
};

const unpacked: Fault = (socket, { dice, body }) => {
  const packed = gzipSync(body);
  const at = dice.int(0, packed.length - 9);
  const broken = dice.chance(0.5)
    ? packed.subarray(0, at)
    : Buffer.concat([packed.subarray(0, at), Buffer.from('garbage')]);
  const length = `Content-Length: ${broken.length}`;
  socket.end(Buffer.concat([Buffer.from(head('200 OK', json, 'Content-Encoding: gzip', length, close)), broken]));
};

const line: Fault = (socket, { dice, secret }) => {
  const said = ['', 'HTTP/1.1', 'HTTP/9.9 200 OK', `HTTP/1.1 ${secret}`, 'HTTP/1.1 99999 OK', 'SSH-2.0-x', secret];
  socket.end(`${dice.pick(said)}\r\n\r\n`);
};

const gone: Fault = (socket, { dice }) => {
  if (dice.chance(0.5)) {
    socket.resetAndDestroy();
  } else {
    socket.end();
  }
};

// Longer than the timeout of every case, so no case waits for the end.
const drip: Fault = (socket, { dice, body }) => {
  socket.write(head('200 OK', json, `Content-Length: ${body.length + 100}`));
  let at = 0;
  const timer = setInterval(() => socket.write(body.subarray(at, (at += 1))), dice.pick([20, 300]));
  socket.once('close', () => clearInterval(timer));
};

const silence: Fault = () => undefined;

/** Responds with something other than a page: a status, a closed connection, a redirect, or nothing. */
export function answerBroken(socket: Socket, broken: Broken): void {
  const fault = broken.dice.weighted<Fault>([
    ...([
      [8, status],
      [3, redirect],
      [3, cut],
      [2, short],
      [3, headers],
      [2, unpacked],
      [2, line],
      [2, gone],
    ] as const),
    ...([
      [0.2, drip],
      [0.1, silence],
    ] as const),
  ]);
  fault(socket, broken);
}
