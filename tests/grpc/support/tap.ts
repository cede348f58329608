import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk;
  }
  return text;
}

/** A proxy between the plugin and the service that records every token, which the service itself never reveals. */
export class Tap {
  readonly tokens: string[] = [];
  /** Responds to data requests with an error that echoes their token. */
  echoTokens = false;
  private server!: Server;

  async start(target: string): Promise<void> {
    this.server = createServer(async (request, response) => {
      const { method, url = '/', headers } = request;
      const token = String(headers.token ?? '');
      if (token && this.echoTokens) {
        response.writeHead(400, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ message: `token ${token} is not welcome` }));
        return;
      }
      const body = await textOf(request);
      const { host: _host, connection: _connection, ...passed } = headers;
      try {
        const answer = await fetch(target + url, {
          method,
          headers: passed as Record<string, string>,
          body: body || undefined,
        });
        const text = await answer.text();
        this.note(text);
        response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
        response.end(text);
      } catch {
        // A broken connection to the service breaks the connection to the plugin.
        request.socket.destroy();
      }
    });
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

  private note(text: string): void {
    const token = /"accessToken":"([^"]+)"/.exec(text)?.[1];
    if (token) {
      this.tokens.push(token);
    }
  }
}
