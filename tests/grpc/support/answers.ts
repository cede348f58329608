import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import type { Handler, Noted } from './hostile';

export type Row = Record<string, unknown>;

const defaultSize = 20;

/** Responds with JSON. */
export function json(response: ServerResponse, body: unknown, status = 200): void {
  text(response, JSON.stringify(body), status);
}

/** Responds with bytes unchanged, with the content type JSON by default. */
export function text(response: ServerResponse, body: string | Buffer, status = 200, type = 'application/json'): void {
  response.writeHead(status, { 'content-type': type });
  response.end(body);
}

/** Tasks with the IDs from `from` to `to`, as small as possible. */
export function tasks(from: number, to: number): Row[] {
  return Array.from({ length: to - from + 1 }, (_, index) => ({ id: from + index, state: 'FINISHED' }));
}

/** The rows of a page. */
export function slice(rows: Row[], page: number, size = defaultSize): Row[] {
  return rows.slice(page * size, (page + 1) * size);
}

/** The envelope of the specification. */
export function envelope(rows: Row[], page: number, size = defaultSize) {
  const content = slice(rows, page, size);
  const totalPages = Math.ceil(rows.length / size);
  return { content, number: page, size, totalElements: rows.length, totalPages, last: page >= totalPages - 1 };
}

/** Responds to every request with its page of rows. */
export function pagesOf(rows: Row[], size = defaultSize): Handler {
  return ({ page }: Noted, response) => json(response, envelope(rows, page, size));
}

/** Sends parts one after the other, no faster than the client reads, until they end or the client disconnects. */
export async function pour(response: ServerResponse, parts: Iterable<string | Buffer>): Promise<void> {
  await pipeline(Readable.from(parts), response).catch(() => undefined);
}

/** A head, then a number of filler bytes in parts of 1 MiB, then a tail. */
export function* flood(head: string, filler: string, mebibytes: number, tail = ''): Generator<string | Buffer> {
  yield head;
  const part = Buffer.alloc(1 << 20, filler);
  for (let sent = 0; sent < mebibytes; sent += 1) {
    yield part;
  }
  yield tail;
}

/** Consecutive gzip members, each of which decompresses to this many mebibytes of filler. */
export function* members(count: number, mebibytes: number, filler = ' '): Generator<Buffer> {
  const member = gzipSync(Buffer.alloc(mebibytes << 20, filler));
  for (let sent = 0; sent < count; sent += 1) {
    yield member;
  }
}
