import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { ProtocolId } from '#protocols/canonical/content.ts';
import { overflowStream, overflows } from './overflows.ts';
import { toSandbox, toVendor } from './vendor-reasoning.ts';

export const scenes = ['tools', 'thinking', 'overflow', 'cut'] as const;
export type Scene = (typeof scenes)[number];

export interface Run {
  readonly mark: string;
  readonly scene: Scene;
  /** Tool call in the provider's first response. `name` is the end of the tool name in the request. */
  readonly call: { readonly name: string; readonly arguments: object };
  /** Bodies of requests with tools, in order. Requests without tools are for titles and summaries. */
  readonly turns: string[];
  /** Unexpected rejections by the sandbox, in the vendor's format. */
  readonly refusals: string[];
}

export interface SceneProvider {
  readonly origin: string;
  begin(run: Run): void;
  close(): Promise<void>;
}

export const finalText = 'The note says kingfisher, and that is all.';

/** Content of the file that the client must read. */
export const note = 'The bird of the marker is: kingfisher\n';

/** Maximum number of calls per run, since some clients repeat a call without a result forever. */
const callsMax = 4;

const paths: readonly (readonly [RegExp, ProtocolId])[] = [
  [/^\/v1\/chat\/completions/, 'openai-chat'],
  [/^\/v1\/responses/, 'openai-responses'],
  [/^\/v1\/messages/, 'anthropic-messages'],
  [/^\/v1beta\/models\//, 'gemini'],
  [/^\/v2\/chat/, 'cohere'],
  [/^\/api\/chat/, 'ollama'],
];

/**
 * Starts a provider of all protocols that plays scenes. A sandbox behind the provider checks requests and encodes
 * responses.
 */
export async function startSceneProvider(sandboxOrigin: string): Promise<SceneProvider> {
  const runs: Run[] = [];
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString();
    const run = runs.findLast(({ mark }) => body.includes(mark));
    const isTurn = run !== undefined && /"tools":\s*\[\s*\{/.test(body) && !request.url?.includes('ount');
    if (isTurn) run.turns.push(body);
    const step = run && isTurn ? takeStep(run, body) : finalStep;
    await playStep(sandboxOrigin, { request, response, body, run }, step).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the provider has no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    begin: (run) => void runs.push(run),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

interface Step {
  readonly answer: object;
  readonly thinks?: boolean;
  readonly fault?: 'overflow' | 'cut';
}

const finalStep: Step = { answer: { text: finalText } };

function takeStep({ call, scene, turns }: Run, body: string): Step {
  const isFirst = turns.length === 1;
  const mustCall = !body.includes(note.trim()) && turns.length < callsMax;
  const thinks = scene === 'thinking';
  switch (scene) {
    case 'overflow':
      return { ...finalStep, fault: 'overflow' };
    case 'cut':
      return isFirst ? { ...finalStep, fault: 'cut' } : finalStep;
    default: {
      // A gateway may add a prefix to tool names.
      const [, name = call.name] = new RegExp(`"name":\\s*"([\\w.-]*${call.name})"`).exec(body) ?? [];
      return mustCall ? { answer: { call: { ...call, name } }, thinks } : { ...finalStep, thinks };
    }
  }
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: string;
  readonly run: Run | undefined;
}

async function playStep(sandboxOrigin: string, exchange: Exchange, { answer, thinks = false, fault }: Step) {
  const { request, response, body, run } = exchange;
  const path = request.url ?? '';
  const protocol = paths.find(([pattern]) => pattern.test(path))?.[1] ?? 'openai-chat';
  const isStream = /"stream":\s*true/.test(body) || path.includes(':stream') || protocol === 'ollama';
  if (fault === 'overflow') return refuse(response, protocol, isStream);
  const model = `sandbox-scripted${thinks ? ':reasoning_tokens=24' : ''}`;
  const sent = setModel(toSandbox(protocol, body), model);
  const answered = await fetch(sandboxOrigin + path.replace(/models\/[^/]+:/, `models/${model}:`), {
    method: request.method ?? 'POST',
    headers: {
      ...passedHeaders(request),
      'content-type': 'application/json',
      'x-sandbox-answer': JSON.stringify(answer),
    },
    ...(request.method === 'POST' && { body: sent }),
  });
  const text = await answered.text();
  if (!answered.ok) run?.refusals.push(text);
  response.writeHead(answered.status, { 'content-type': answered.headers.get('content-type') ?? '' });
  const whole = answered.ok ? toVendor(protocol, text, thinks) : text;
  if (fault !== 'cut') return void response.end(whole);
  // Only the first part of the text is sent.
  response.write(whole.slice(0, whole.indexOf('kingfisher') + 'kingfisher'.length));
  setImmediate(() => response.socket?.destroySoon());
}

function refuse(response: ServerResponse, protocol: ProtocolId, isStream: boolean): void {
  if (protocol === 'openai-responses' && isStream) {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(overflowStream);
    return;
  }
  response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(overflows[protocol]));
}

function setModel(body: string, model: string): string {
  if (body === '') return body;
  const parsed = JSON.parse(body);
  return JSON.stringify('model' in parsed ? { ...parsed, model } : parsed);
}

function passedHeaders({ headers }: IncomingMessage): Record<string, string> {
  const names = ['authorization', 'x-api-key', 'x-goog-api-key', 'anthropic-version', 'anthropic-beta'];
  return Object.fromEntries(names.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])));
}
