import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { listenOnLoopback } from '../../infra/local/loopback.ts';
import { certificateNamed } from './certificates.ts';

/**
 * A company's proxy, the only way to service.example.com, whose requests `answer` answers: it inspects TLS, with a certificate of
 * an authority that no system knows. To other hosts it opens no way. `asked` is what it was asked for.
 */
export async function startProxy(answer: RequestListener) {
  const inspected = createTlsServer(certificateNamed('service'), answer);
  const asked: string[] = [];
  const closing = new AsyncDisposableStack();
  const server = createServer(({ url = '' }, refused) => {
    asked.push(url);
    refused.writeHead(403).end();
  });
  server.on('connect', ({ url = '' }, socket) => {
    asked.push(url);
    closing.defer(() => void socket.destroy());
    const isKnown = url === 'service.example.com:443';
    socket.write(`HTTP/1.1 ${isKnown ? '200 OK' : '403 Forbidden'}\r\n\r\n`);
    if (isKnown) inspected.emit('connection', socket);
    else socket.end();
  });
  const { url, close } = await listenOnLoopback(server);
  // With the connections through it first: what closes a server does not know them.
  const end = async (): Promise<void> => {
    await closing.disposeAsync();
    await close();
  };
  return { url, asked, close: end };
}
