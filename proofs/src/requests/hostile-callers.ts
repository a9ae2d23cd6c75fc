import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { authRoutes, createClient, llmProvidersRoutes, providerRegistryRoutes } from '@sluice/contract';
import { readCpuMs } from '#test/processes/cpu-time.ts';
import { createSluice, type SluiceProcess } from '#test/processes/sluice-process.ts';
import { startScriptedProvider } from '#test/providers/scripted-provider.ts';
import type { HostileBody } from '#test/requests/hostile-bodies.ts';
import { type EventLoopProbe, readMemoryBytes, startEventLoopProbe } from '../processes/event-loop-probe.ts';

export interface Target {
  readonly origin: string;
  readonly probe: EventLoopProbe;
  readonly apiKey: string;
  readonly session: string;
  cpuMs(): number;
  memoryBytes(): number;
  stop(): Promise<void>;
}

export async function startTarget(): Promise<Target> {
  await using cleanup = new AsyncDisposableStack();
  const provider = await startScriptedProvider((response) => response.writeHead(400).end('{}'));
  cleanup.defer(() => provider.close());
  const sluice = await createSluice({
    SLUICE_WORKERS: '1',
    SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1',
    LOG_LEVEL: 'silent',
  });
  cleanup.defer(() => sluice.remove());
  await sluice.start();
  const session = await addTranslatedModel(sluice, provider.origin);
  const [pid] = sluice.pids('workers');
  if (pid === undefined) throw new Error('there is no worker');
  const probe = await startEventLoopProbe(sluice.origin, pid);
  cleanup.defer(() => probe.stop());
  const { apiKey, origin } = sluice;
  const running = cleanup.move();
  return {
    ...{ origin, probe, apiKey, session },
    cpuMs: () => readCpuMs(pid),
    memoryBytes: () => readMemoryBytes(pid),
    stop: () => running.disposeAsync(),
  };
}

async function addTranslatedModel({ admin, origin }: SluiceProcess, endpoint: string): Promise<string> {
  const client = { baseUrl: origin, headers: (): Record<string, string> => ({}) };
  const { access_token: token } = await createClient(authRoutes, client).login({
    form: { username: admin.email, password: admin.password },
  });
  client.headers = () => ({ authorization: `Bearer ${token}` });
  const registry = await createClient(providerRegistryRoutes, client).listProviderRegistry();
  for (const [provider_key, model] of [
    ['anthropic', 'translated'],
    ['google', 'translated-to-google'],
  ] as const)
    await createClient(llmProvidersRoutes, client).createLlmProvider({
      body: {
        provider_registry_id: registry.find((entry) => entry.provider_key === provider_key)?.id ?? 0,
        provider_instance_name: `a provider of ${provider_key}`,
        api_endpoint: endpoint,
        api_key: 'sk-outside',
        enabled_models: [model],
      },
    });
  return token;
}

export interface Cost {
  readonly name: string;
  readonly status: number;
  readonly bytes: number;
  readonly longestMs: number;
  readonly nsPerByte: number;
}

/** Maximum number of runs per measurement. Other processes can lengthen a run but never shorten it. */
const triesMax = 5;

/** Repeats the request if the cost seems too high. Returns the lowest cost. */
export async function measureCost(
  target: Target,
  { name, path, isAnonymous }: Omit<HostileBody, 'make'>,
  body: Buffer,
  isDear: (cost: Cost) => boolean,
): Promise<Cost> {
  const credential =
    path.includes('/admin/') || path.endsWith('/llm-providers') ? target.session : target.apiKey;
  let least: Cost | null = null;
  for (let tries = 0; tries < triesMax && (least === null || isDear(least)); tries++) {
    await target.probe.readLongestMs();
    const before = target.cpuMs();
    const { status } = await sendBody(target.origin + path, isAnonymous ? null : credential, body);
    const nsPerByte = ((target.cpuMs() - before) * 1e6) / body.length;
    const cost = {
      name,
      status,
      bytes: body.length,
      nsPerByte,
      longestMs: await target.probe.readLongestMs(),
    };
    least = least ? takeLess(least, cost) : cost;
  }
  if (!least) throw new Error('nothing was measured');
  return least;
}

function takeLess(left: Cost, right: Cost): Cost {
  return {
    ...right,
    longestMs: Math.min(left.longestMs, right.longestMs),
    nsPerByte: Math.min(left.nsPerByte, right.nsPerByte),
  };
}

/** A `null` credential sends none. */
export function openUpload(url: string, credential: string | null, bytes: number): ClientRequest {
  return request(url, {
    method: 'POST',
    agent: false,
    headers: {
      'content-type': 'application/json',
      'content-length': bytes,
      ...(credential !== null && { authorization: `Bearer ${credential}` }),
    },
  });
}

async function sendBody(url: string, credential: string | null, body: Buffer): Promise<{ status: number }> {
  const sending = openUpload(url, credential, body.length);
  const answered = readAnswer(sending);
  // The response may arrive before the whole body is sent.
  sending.on('error', () => undefined);
  sending.end(body);
  return answered;
}

export async function readAnswer(sending: ClientRequest): Promise<{ status: number }> {
  const [response]: IncomingMessage[] = await once(sending, 'response');
  if (!response) throw new Error('there is no response');
  for await (const _chunk of response) {
    // The body is ignored, since only the end of the response matters.
  }
  return { status: response.statusCode ?? 0 };
}
