import { setTimeout as pause } from 'node:timers/promises';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import pg from 'pg';
import { createSluice } from '../processes/sluice-process.ts';
import { openPaidService } from '../providers/paid-service.ts';
import {
  completionText,
  generatedText,
  messageText,
  type ProviderCall,
  responseText,
  startScriptedProvider,
} from '../providers/scripted-provider.ts';
import { createRowReader, type RowReader } from './request-rows.ts';
import { listTextPositions, type TextPosition } from './text-positions.ts';

export interface BilledPosition {
  readonly protocol: string;
  readonly name: string;
  readonly bytes: number;
  /** Held amount; `null` if the gateway rejected the request. */
  readonly held: number | null;
  readonly charged: number | null;
  readonly reported: number | null;
  readonly status: number;
  readonly faults: readonly string[];
}

const model = 'positions';
const cap = 16;
const dailyQuota = 1_000_000_000_000;

/** 44 KB of plain English. */
export const longText = 'The quick brown fox jumps over the lazy dog. '.repeat(980);
const textTokens = countTokens(longText);

interface Way {
  readonly path: string;
  readonly providerKey: string;
  readonly isVersioned: boolean;
  readonly settings: object;
  answer(inputTokens: number): object;
}

const ways: Readonly<Record<string, Way>> = {
  'openai-chat': {
    path: '/api/v1/chat/completions',
    providerKey: 'custom',
    isVersioned: true,
    settings: { model, max_tokens: cap, max_completion_tokens: undefined, n: 1, stream: false },
    answer: (prompt_tokens) => tell(completionText, 'usage', { prompt_tokens, completion_tokens: 1 }),
  },
  'openai-responses': {
    path: '/api/v1/responses',
    providerKey: 'groq',
    isVersioned: true,
    settings: { model: `${model}-responses`, max_output_tokens: cap, stream: false },
    answer: (input_tokens) => tell(responseText, 'usage', { input_tokens, output_tokens: 1 }),
  },
  'anthropic-messages': {
    path: '/api/v1/messages',
    providerKey: 'anthropic',
    isVersioned: false,
    settings: { model: `${model}-claude`, max_tokens: cap, stream: false },
    answer: (input_tokens) => tell(messageText, 'usage', { input_tokens, output_tokens: 1 }),
  },
  gemini: {
    path: `/api/v1beta/models/${model}-gemini:generateContent`,
    providerKey: 'google',
    isVersioned: false,
    settings: { generationConfig: { maxOutputTokens: cap } },
    answer: (promptTokenCount) =>
      tell(generatedText, 'usageMetadata', { promptTokenCount, candidatesTokenCount: 1 }),
  },
  embeddings: {
    path: '/api/v1/embeddings',
    providerKey: 'custom',
    isVersioned: true,
    settings: { model },
    answer: (prompt_tokens) => ({
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: [0.5] }],
      model,
      usage: { prompt_tokens, total_tokens: prompt_tokens },
    }),
  },
};

export const billedProtocols = Object.keys(ways);

function tell(answer: string, field: string, usage: object): object {
  return { ...JSON.parse(answer), [field]: usage };
}

/** `choose` selects the positions of each protocol. Defaults to all. */
export async function billPositions(
  choose: (positions: readonly TextPosition[]) => readonly TextPosition[] = (positions) => positions,
): Promise<BilledPosition[]> {
  await using cleanup = new AsyncDisposableStack();
  const provider = await startScriptedProvider((response, call) => {
    const way = Object.values(ways).find((one) => leadsTo(one, call)) ?? ways['openai-chat'];
    const body = JSON.stringify(way?.answer(countReported(call)));
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  cleanup.defer(() => provider.close());
  const sluice = await createSluice({
    SLUICE_WORKERS: '1',
    SLUICE_SANDBOX: '0',
    SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1',
    LOG_LEVEL: 'silent',
  });
  cleanup.defer(() => sluice.remove());
  await sluice.start();
  const service = await openPaidService(sluice);
  for (const [protocol, { providerKey, isVersioned, settings, path }] of Object.entries(ways)) {
    if (protocol === 'embeddings') continue;
    const name =
      'model' in settings ? String(settings.model) : (/models\/([\w-]+):/.exec(path)?.[1] ?? model);
    const endpoint = isVersioned ? `${provider.origin}/v1` : provider.origin;
    await service.addInstance({
      name: protocol,
      providerKey,
      endpoint,
      models: [name],
      isServiceManaged: false,
    });
  }
  const { apiKey } = await service.addUser('biller', {
    requests_per_hour: 1_000_000,
    daily_quota: dailyQuota,
    monthly_quota: null,
  });
  const pool = new pg.Pool({ connectionString: sluice.connectionString(), max: 2 });
  pool.on('error', () => undefined);
  cleanup.defer(() => pool.end());
  const headers = { authorization: `Bearer ${apiKey}` };
  while (!(await fetch(`${sluice.origin}/api/v1/models`, { headers })).ok) await pause(50);
  return await sendAll({
    choose,
    origin: sluice.origin,
    headers,
    rows: createRowReader(pool),
    calls: provider.calls,
  });
}

const leadsTo = ({ path }: Way, call: ProviderCall) =>
  call.path.endsWith(path.replace(/^\/api\/v1(beta)?/, ''));
/** Reports the tokens of the text and a few more. Images are not covered. */
const countReported = ({ body }: ProviderCall) => (body.includes(longText) ? textTokens : 0) + 7;

interface Stage {
  choose(positions: readonly TextPosition[]): readonly TextPosition[];
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly rows: RowReader;
  readonly calls: ProviderCall[];
}

interface SentPosition extends Omit<BilledPosition, 'charged' | 'faults'> {
  readonly requestId: string;
}

// Requests are sent sequentially, since the hold is the decrease of the remaining limit in the header.
async function sendAll(stage: Stage): Promise<BilledPosition[]> {
  const sent: SentPosition[] = [];
  let used = 0;
  for (const protocol of billedProtocols) {
    for (const position of stage.choose(listTextPositions(protocol))) {
      const one = await send(stage, protocol, position, used);
      if (one.reported !== null) used += one.reported + outputOf(protocol);
      sent.push(one);
    }
  }
  const billed: BilledPosition[] = [];
  for (const one of sent) billed.push(await judge(one, stage.rows));
  return billed;
}

const outputOf = (protocol: string) => (protocol === 'embeddings' ? 0 : 1);

async function send(
  { origin, headers, calls }: Stage,
  protocol: string,
  position: TextPosition,
  usedBefore: number,
): Promise<SentPosition> {
  const way = ways[protocol];
  if (!way) throw new Error(`no way to send ${protocol} is defined`);
  calls.length = 0;
  const body = applySettings(position.write(longText), way.settings);
  const answer = await fetch(origin + way.path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
  await answer.arrayBuffer();
  const left = Number(answer.headers.get('x-ratelimit-remaining-tokens'));
  const [call] = calls;
  return {
    protocol,
    name: position.name,
    bytes: body.length,
    status: answer.status,
    requestId: answer.headers.get('x-request-id') ?? '',
    held: call ? dailyQuota - usedBefore - left - cap * outputOf(protocol) : null,
    reported: call ? countReported(call) : null,
  };
}

async function judge({ requestId, ...sent }: SentPosition, rows: RowReader): Promise<BilledPosition> {
  const { held, reported, status } = sent;
  if (held === null || reported === null) {
    const isRefused = status >= 400 && status < 500;
    return {
      ...sent,
      charged: null,
      faults: isRefused ? [] : [`a response with status ${status} without a provider call`],
    };
  }
  const { prompt_tokens: charged } = await rows.waitForRow(requestId);
  const faults = [
    ...(held < textTokens ? [`held ${held} of ${textTokens} tokens`] : []),
    ...(charged === reported ? [] : [`charged ${charged} of ${reported} tokens`]),
  ];
  return { ...sent, charged, faults };
}

/** Uses the spelling of the body's fields. */
function merge(body: object, settings: object): object {
  const value = new Map<string, unknown>(Object.entries(body));
  for (const [camelCased, set] of Object.entries(settings)) {
    const underscored = camelCased.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const name = value.has(underscored) ? underscored : camelCased;
    const given = value.get(name);
    const isNested = typeof set === 'object' && typeof given === 'object' && given !== null;
    value.set(name, isNested ? merge(given, set) : set);
  }
  return Object.fromEntries(value);
}

/** Applies settings to the JSON text, since a body may contain a field twice. */
function applySettings(body: string, settings: object): string {
  const value = JSON.parse(body);
  const isDoubled = JSON.stringify(value).length < body.length;
  if (!isDoubled) return JSON.stringify(merge(value, settings));
  if (Object.keys(settings).some((name) => name in value))
    throw new Error('a body with a duplicate field already contains the settings');
  return `{${JSON.stringify(settings).slice(1, -1)},${body.slice(1)}`;
}
