import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';

export interface ProviderCall {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export type Script = (response: ServerResponse, call: ProviderCall) => void;

/** Provider for cases that the sandbox does not cover. */
export interface ScriptedProvider {
  readonly origin: string;
  readonly calls: ProviderCall[];
  /** Response to calls for models without a script of their own. */
  script: Script;
  /** Scripts by model, which allow tests to run in parallel. */
  readonly scripts: Map<string, Script>;
  close(): Promise<void>;
}

export async function startScriptedProvider(script: Script = answerCompletion()): Promise<ScriptedProvider> {
  const calls: ProviderCall[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const call = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) };
    calls.push(call);
    const script = provider.scripts.get(JSON.parse(call.body.toString() || '{}').model) ?? provider.script;
    script(response, call);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the provider has no port');
  const provider: ScriptedProvider = {
    origin: `http://127.0.0.1:${address.port}`,
    calls,
    script,
    scripts: new Map(),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return provider;
}

export const completionText = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'scripted',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 2, completion_tokens: 1, total_tokens: 3 },
});

export const messageText = JSON.stringify({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'scripted',
  content: [{ type: 'text', text: 'Hello' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 2, output_tokens: 1 },
});

export const responseText = JSON.stringify({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'scripted',
  output: [
    {
      type: 'message',
      id: 'msg_1',
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
    },
  ],
  usage: { input_tokens: 2, output_tokens: 1, total_tokens: 3 },
});

export const generatedText = JSON.stringify({
  candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 2, candidatesTokenCount: 1, totalTokenCount: 3 },
  modelVersion: 'scripted',
});

export const cohereText = JSON.stringify({
  id: 'c1',
  message: { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] },
  finish_reason: 'COMPLETE',
  usage: { tokens: { input_tokens: 2, output_tokens: 1 } },
});

export const ollamaText = JSON.stringify({
  model: 'scripted',
  created_at: '2026-11-20T00:00:00Z',
  message: { role: 'assistant', content: 'Hello' },
  done: true,
  done_reason: 'stop',
  prompt_eval_count: 2,
  eval_count: 1,
});

export function answerWith(
  status: number,
  body: string | Buffer,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): Script {
  return (response) => response.writeHead(status, headers).end(body);
}

export const answerCompletion = (): Script => answerWith(200, completionText);

/** The stream remains open if `end` is false. */
export function answerStream(bytes: string | Buffer, { end = true } = {}): Script {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(bytes);
    if (end) response.end();
  };
}
