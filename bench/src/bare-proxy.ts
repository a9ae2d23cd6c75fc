// Minimal gateway in Node: node bare-proxy.ts <upstream origin> [--parse]. It forwards each request with one dispatch
// and does nothing else, not even for clients that disconnect. With --parse, the proxy also parses the JSON of
// requests and responses.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import { Agent, type Dispatcher } from 'undici';

const [upstream = '', mode] = process.argv.slice(2);
const isParsing = mode === '--parse';
const agent = new Agent();

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const [first] = chunks;
    const body = first && chunks.length === 1 ? first : Buffer.concat(chunks);
    if (isParsing) JSON.parse(body.toString());
    const headers = pick(request.headers, ['authorization', 'content-type']);
    const path = request.url ?? '/';
    agent.dispatch({ origin: upstream, path, method: 'POST', headers, body }, relayTo(response));
  });
});

function relayTo(response: ServerResponse): Dispatcher.DispatchHandler {
  let answer: AnswerParser | null = null;
  return {
    // undici rejects handlers without this method.
    onRequestStart() {},
    onResponseStart(_controller, status, headers) {
      if (isParsing) answer = createAnswerParser(headers['content-type'] === 'application/json');
      response.writeHead(status, pick(headers, ['content-type', 'content-length']));
    },
    onResponseData(controller, chunk) {
      answer?.take(chunk);
      if (response.write(chunk)) return;
      controller.pause();
      response.once('drain', () => controller.resume());
    },
    onResponseEnd() {
      answer?.end();
      response.end();
    },
    onResponseError(_controller, error) {
      response.destroy(error);
    },
  };
}

interface AnswerParser {
  take(chunk: Buffer): void;
  end(): void;
}

/** Returns a parser that parses a complete JSON body, or each complete event of a stream. */
function createAnswerParser(isJson: boolean): AnswerParser {
  const decoder = new StringDecoder();
  let text = '';
  return {
    take(chunk) {
      text += decoder.write(chunk);
      if (isJson) return;
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) if (event.startsWith('data: {')) JSON.parse(event.slice('data: '.length));
    },
    end() {
      if (isJson) JSON.parse(text);
    },
  };
}

function pick(headers: IncomingHttpHeaders, names: string[]): Record<string, string | string[]> {
  const picked: Record<string, string | string[]> = {};
  for (const name of names) {
    const value = headers[name];
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}

process.once('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') {
    process.send?.({ origin: `http://127.0.0.1:${address.port}` });
  }
});
