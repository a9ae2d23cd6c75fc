// Refreshes the facts about models: node scripts/run.mjs scripts/refresh-model-facts.ts. Downloads the PyPI package
// litellm with pip, reads its table of models, and writes server/src/providers/model-facts/model-facts.json: limits
// and capabilities only, one model per line.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const target = join(import.meta.dirname, '../server/src/providers/model-facts/model-facts.json');
const table = 'litellm/model_prices_and_context_window_backup.json';

/** Provider keys by vendor name in the table. Models of unlisted vendors become `others`. */
const vendors: Readonly<Record<string, string>> = {
  anthropic: 'anthropic',
  azure: 'azure_openai',
  cohere: 'cohere',
  cohere_chat: 'cohere',
  deepseek: 'deepseek',
  fireworks_ai: 'fireworks',
  'fireworks_ai-embedding-models': 'fireworks',
  gemini: 'google',
  groq: 'groq',
  mistral: 'mistral',
  moonshot: 'moonshot',
  ollama: 'ollama',
  openai: 'openai',
  perplexity: 'perplexity',
  together_ai: 'together',
  xai: 'xai',
};

const answersByMode: Readonly<Record<string, string>> = {
  audio_speech: 'audio',
  audio_transcription: 'other',
  embedding: 'embeddings',
  image_edit: 'images',
  image_generation: 'images',
  moderation: 'other',
  ocr: 'other',
  rerank: 'other',
  video_generation: 'other',
};

const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/** Vendors in the table that document their own models. */
const makers = new Set([
  'anthropic',
  'azure',
  'cohere_chat',
  'deepseek',
  'gemini',
  'groq',
  'mistral',
  'moonshot',
  'openai',
  'xai',
]);

type Row = Readonly<Record<string, unknown>>;
type Facts = Readonly<Record<string, unknown>>;

const folder = mkdtempSync(join(tmpdir(), 'model-facts-'));
try {
  const pip = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', folder, 'litellm'];
  execFileSync('python3', pip, { stdio: 'inherit' });
  const [wheel = ''] = readdirSync(folder);
  const print = 'import sys,zipfile;sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]))';
  const text = execFileSync('python3', ['-c', print, join(folder, wheel), table], { maxBuffer: 2 ** 26 });
  const [, version = ''] = /^litellm-([^-]+)-/.exec(wheel) ?? [];
  const listed = readTable(JSON.parse(text.toString()));
  writeFileSync(target, toText(version, listed));
  const count = [...listed.values()].reduce((sum, models) => sum + models.size, 0);
  console.log(`${count} models of litellm ${version} are in ${target}`);
} finally {
  rmSync(folder, { recursive: true });
}

function readTable(rows: Readonly<Record<string, Row>>): Map<string, Map<string, Facts>> {
  const listed = new Map<string, Map<string, Facts>>();
  const elsewhere = new Map<string, Facts[]>();
  for (const [name, row] of Object.entries(rows)) {
    const { mode, litellm_provider: maker } = row;
    const facts = isText(row) ? readFacts(row, makers.has(String(maker))) : readOtherFacts(mode);
    if (!facts) continue;
    const vendor = Object.hasOwn(vendors, String(maker)) ? vendors[String(maker)] : undefined;
    const prefix = vendor ? `${String(maker).replace(/_chat$|-embedding-models$/, '')}/` : '';
    const key = (name.startsWith(prefix) ? name.slice(prefix.length) : name).toLowerCase();
    if (vendor) listed.getOrInsertComputed(vendor, () => new Map()).set(key, facts);
    else elsewhere.getOrInsertComputed(bare(key), () => []).push(facts);
  }
  const known = new Set([...listed.values()].flatMap((models) => [...models.keys()].map(bare)));
  const others = [...elsewhere].filter(([name]) => !known.has(name));
  listed.set('others', new Map(others.map(([name, all]) => [name, agree(all)])));
  return listed;
}

function isText({ mode, supported_output_modalities: modalities }: Row): boolean {
  if (mode === 'chat' || mode === 'responses') return true;
  return mode === 'image_generation' && Array.isArray(modalities) && modalities.includes('text');
}

function readOtherFacts(mode: unknown): Facts | null {
  const answers = Object.hasOwn(answersByMode, String(mode)) ? answersByMode[String(mode)] : undefined;
  return answers === undefined ? null : { answers };
}

function bare(name: string): string {
  const last = name.slice(name.lastIndexOf('/') + 1);
  return last
    .replace(
      /^((us|eu|apac|au|jp|ca|global|us-gov)\.)?(anthropic|meta|mistral|cohere|amazon|qwen|deepseek|openai|google|moonshot|minimax|zai)\./,
      '',
    )
    .replace(/-v\d+:\d+$/, '')
    .replace(/@.*$/, '');
}

function agree(found: readonly Facts[]): Facts {
  const texts = found.filter(({ answers }) => answers === undefined);
  const all = texts.length > 0 ? texts : found;
  const names = new Set(all.flatMap((facts) => Object.keys(facts)));
  const picked = [...names].flatMap((name) => {
    const values = all.flatMap((facts) => (facts[name] === undefined ? [] : [JSON.stringify(facts[name])]));
    if (name === 'context' || name === 'output') return [[name, median(values.map(Number))] as const];
    const counts = Map.groupBy(values, (value) => value);
    const [best] = [...counts].sort(([, one], [, other]) => other.length - one.length);
    return best && best[1].length * 2 > all.length ? [[name, JSON.parse(best[0])] as const] : [];
  });
  return Object.fromEntries(picked);
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) / 2)] ?? 0;
}

/**
 * Returns a model's facts. In a maker's own rows, a missing capability means that the model lacks it. Rows that
 * contain only prices are an exception.
 */
function readFacts(row: Row, isMaker: boolean): Facts {
  const flag = (name: string) => row[`supports_${name}`] ?? undefined;
  const isDocumented =
    isMaker && (readCount(row.max_input_tokens) ?? readCount(row.max_output_tokens)) !== undefined;
  const has = (name: string) => flag(name) ?? (isDocumented ? false : undefined);
  const isReasoning = flag('reasoning') === true;
  const endpoints = Array.isArray(row.supported_endpoints) ? row.supported_endpoints : null;
  const isResponsesOnly =
    row.mode === 'responses' || (endpoints && !endpoints.includes('/v1/chat/completions'));
  const facts: Facts = {
    context: readCount(row.max_input_tokens),
    output: readCount(row.max_output_tokens),
    reasoning: has('reasoning'),
    reasonsByDefault: isReasoning && isReasoningByDefault(row) ? true : undefined,
    efforts: isReasoning ? readEfforts(row) : undefined,
    vision: has('vision'),
    tools: flag('function_calling'),
    sampling: flag('sampling_params'),
    adaptiveThinking: flag('adaptive_thinking'),
    alwaysThinks: row.thinking_always_on,
    structuredOutput: flag('native_structured_output'),
    systemTurns: flag('mid_conversation_system'),
    onlyResponses: isMaker && isResponsesOnly ? true : undefined,
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

/** Returns whether a model that can reason does so by default. For Anthropic, the table lists such models. */
function isReasoningByDefault(row: Row): boolean {
  if (row.thinking_always_on === true || row.thinking_on_by_default === true) return true;
  const isAskedFor = String(row.litellm_provider).includes('anthropic');
  return !isAskedFor && row.default_reasoning_effort !== 'none';
}

function readCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;
}

/** Returns the reasoning efforts of a model, or `undefined` if the table contains none. */
function readEfforts(row: Row): string[] | undefined {
  if (Array.isArray(row.reasoning_effort_levels)) return row.reasoning_effort_levels.map(String);
  const optional = efforts.filter((name) => row[`supports_${name}_reasoning_effort`] !== undefined);
  if (optional.length === 0) return undefined;
  return efforts.filter(
    (name) => row[`supports_${name}_reasoning_effort`] ?? /^(low|medium|high)$/.test(name),
  );
}

/**
 * Returns the text of the file. Models are on one line each, sorted by name, so that the diff of a refresh is a list
 * of changes.
 */
function toText(version: string, listed: Map<string, Map<string, Facts>>): string {
  const sections = [...listed]
    .sort(([one], [other]) => one.localeCompare(other, 'en'))
    .map(([vendor, models]) => {
      const lines = [...models]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, facts]) => `${JSON.stringify(name)}:${JSON.stringify(facts)}`);
      return `${JSON.stringify(vendor)}:{\n${lines.join(',\n')}\n}`;
    });
  const date = new Date().toISOString().slice(0, 10);
  return `{"source":"litellm ${version}","date":"${date}","vendors":{\n${sections.join(',\n')}\n}}\n`;
}
