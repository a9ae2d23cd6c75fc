import { type ScriptedProvider, startScriptedProvider } from './scripted-provider.ts';

export type SentBody = Readonly<Record<string, unknown>>;

/** Returns the error body with which a provider rejects a request, or `null` to accept the request. */
export type Refuse = (body: SentBody, path: string) => object | null;

export interface StrictProvider {
  readonly origin: string;
  readonly rules: Map<string, Refuse>;
  callsFor(model: string): { readonly path: string; readonly body: SentBody }[];
  close(): Promise<void>;
}

/** `findSandbox` returns the origin of the sandbox that responds to accepted requests. */
export async function startStrictProvider(findSandbox: () => string): Promise<StrictProvider> {
  const rules = new Map<string, Refuse>();
  const provider: ScriptedProvider = await startScriptedProvider(async (response, { path, body }) => {
    const sent = parse(body);
    const model = readModel(sent, path);
    const refusal = rules.get(model)?.(sent, path) ?? null;
    if (refusal) {
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(refusal));
      return;
    }
    const served = 'tools' in sent ? 'sandbox-tool' : 'sandbox-normal';
    const answer = await fetch(findSandbox() + path.replace(encodeURIComponent(model), served), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: 'Bearer any',
        'x-api-key': 'any',
        'anthropic-version': '2023-06-01',
      },
      body: JSON.stringify('model' in sent ? { ...sent, model: served } : sent),
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  return {
    origin: provider.origin,
    rules,
    callsFor: (model) =>
      provider.calls
        .map(({ path, body }) => ({ path, body: parse(body) }))
        .filter(({ path, body }) => readModel(body, path) === model),
    close: provider.close,
  };
}

// safe because the gateway sends only JSON objects
const parse = (body: Buffer) => JSON.parse(body.toString() || '{}') as SentBody;

function readModel(body: SentBody, path: string): string {
  const [, inPath = ''] = /\/models\/([^:]+):/.exec(path) ?? [];
  return String(body.model ?? decodeURIComponent(inPath));
}
