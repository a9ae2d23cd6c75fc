import { isObject } from '#json/json-value.ts';
import type { ProtocolId } from './canonical/content.ts';
import type { ProviderError } from './protocol.ts';

/** Request field that only influences the response. Omitting it does not change what the caller asked for. */
interface OptionalField {
  /** Body fields that are omitted together, each as a path. */
  readonly paths: readonly (readonly string[])[];
  readonly names: readonly string[];
  /** Name of the field in warnings; `null` if the gateway added the field. */
  readonly warning: string | null;
  /**
   * Whether the field may occur in objects at any depth of the conversation and the tools. `paths` then only contains
   * the field's name.
   */
  readonly isAnywhere?: true;
}

const field = (name: string, warning: string | null = name, ...otherNames: string[]): OptionalField => ({
  paths: [name.split('.')],
  names: [name, name.slice(name.lastIndexOf('.') + 1), ...otherNames],
  warning,
});
const fields = (...names: string[]) => names.map((name) => field(name));
const within = (parent: string, warnings: Readonly<Record<string, string>>) =>
  Object.entries(warnings).map(([name, warning]) => field(`${parent}.${name}`, warning, warning));

const cacheMark: OptionalField = { ...field('cache_control'), isAnywhere: true };
const strictTools: OptionalField = { ...field('strict'), isAnywhere: true };
const openAiFields = fields('safety_identifier', 'prompt_cache_key', 'verbosity', 'metadata');

const sampling = ['temperature', 'top_p', 'seed', 'presence_penalty', 'frequency_penalty'];
const named = (...names: string[]) => Object.fromEntries(names.map((name) => [name, name]));

/** Optional fields by provider protocol. If an error matches several, the first one is used. */
const optionalFields: Readonly<Record<ProtocolId, readonly OptionalField[]>> = {
  'openai-chat': [
    field('reasoning_effort', 'reasoning_effort', 'reasoningEffort', 'effort parameter'),
    field('reasoning', 'reasoning_effort'),
    field('random_seed', 'seed'),
    {
      paths: [['logprobs'], ['top_logprobs']],
      names: ['logprobs', 'top_logprobs'],
      warning: 'logprobs',
    },
    ...fields(...sampling, 'logit_bias', 'parallel_tool_calls'),
    ...openAiFields,
    ...fields('user'),
    cacheMark,
    strictTools,
  ],
  'openai-responses': [
    field('reasoning.summary', 'reasoning_effort', 'reasoning summaries'),
    field('reasoning', 'reasoning_effort', 'reasoning.effort', 'reasoning_effort'),
    field('include', null, 'reasoning.encrypted_content', 'encrypted content'),
    field('text.verbosity', 'verbosity'),
    field('store', null),
    ...fields('temperature', 'top_p', 'parallel_tool_calls'),
    ...openAiFields,
    ...fields('user'),
    strictTools,
  ],
  'anthropic-messages': [
    field('output_config.effort', 'reasoning_effort', 'effort parameter'),
    {
      paths: [['thinking'], ['output_config', 'effort']],
      names: [
        'thinking',
        'thinking.type',
        'thinking.type.enabled',
        'thinking.budget_tokens',
        'budget_tokens',
      ],
      warning: 'reasoning_effort',
    },
    ...fields('temperature', 'top_p', 'top_k'),
    field('metadata', 'user', 'metadata.user_id'),
    field('tool_choice.disable_parallel_tool_use', 'parallel_tool_calls'),
    cacheMark,
    strictTools,
  ],
  gemini: [
    field(
      'generationConfig.thinkingConfig',
      'reasoning_effort',
      'thinking',
      'thinking_config',
      'thinking_level',
      'thinking_budget',
      'thinkingLevel',
      'thinkingBudget',
    ),
    ...within('generationConfig', {
      ...named('temperature', 'seed'),
      topP: 'top_p',
      topK: 'top_k',
      presencePenalty: 'presence_penalty',
      frequencyPenalty: 'frequency_penalty',
    }),
  ],
  cohere: [
    field('thinking', 'reasoning_effort'),
    field('p', 'top_p'),
    field('k', 'top_k'),
    ...fields('temperature', 'seed', 'presence_penalty', 'frequency_penalty'),
    field('strict_tools', 'strict'),
  ],
  ollama: [
    field('think', 'reasoning_effort', 'thinking', 'think value'),
    ...within('options', named(...sampling, 'top_k')),
  ],
};

/** Words in an error that rejects the field itself rather than the rest of the request. */
const rejection =
  /not (be )?(support|permit|allow|accept|available|enabled|recogni|implement|valid)|n't (support|accept|allow)|unsupported|unrecogni[sz]ed|unknown|unexpected|deprecated|extra (input|field)|only works|cannot be (used|set|combined|specified)|is invalid|invalid (argument|field|parameter)|only the default|no longer/i;
const rejectionCodes: ReadonlySet<string | null> = new Set([
  'unsupported_parameter',
  'unsupported_value',
  'unknown_parameter',
]);

/**
 * Returns the optional field that a provider's error rejects, as the name of its first path; `null` if the error
 * rejects something else. The model name in the error does not count as a field.
 */
export function findRejectedField(
  protocol: ProtocolId,
  body: object,
  { message, code, param }: Pick<ProviderError, 'message' | 'code' | 'param'>,
  model: string,
): string | null {
  const words = message.replaceAll(model, '');
  if (!rejection.test(words) && !rejectionCodes.has(code)) return null;
  const sent = optionalFields[protocol].filter((one) => isIn(body, one));
  const meant =
    param === null
      ? sent.find(({ names }) => names.some((name) => isNamed(words, name)))
      : sent.find(({ names }) => names.includes(param));
  return meant ? nameOf(meant) : null;
}

const nameOf = ({ paths }: OptionalField) => paths[0]?.join('.') ?? '';

/** Short names are also common words, so they count only in quotes. */
function isNamed(words: string, name: string): boolean {
  const isWord = name.length < 8 && /^[a-z]+$/.test(name);
  const escaped = name.replaceAll('.', '\\.');
  const pattern = isWord ? `["'\`]${escaped}["'\`]` : `(?<![\\w.])${escaped}(?!\\w)`;
  return new RegExp(pattern, 'i').test(words);
}

/** Returns a request without the given optional fields, and warnings with the removed names. */
export function leaveOut(
  protocol: ProtocolId,
  body: object,
  names: ReadonlySet<string>,
): { readonly body: object; readonly warnings: readonly string[] } {
  const left = optionalFields[protocol].filter((one) => names.has(nameOf(one)) && isIn(body, one));
  return {
    body: left.reduce(removeField, body),
    warnings: left.flatMap(({ warning }) => warning ?? []),
  };
}

function isIn(body: object, { paths, isAnywhere }: OptionalField): boolean {
  return isAnywhere
    ? listBlocks(body).some((block) => holdsAnywhere(block, nameOfPath(paths)))
    : paths.some((path) => holds(body, path));
}

function removeField(body: object, { paths, isAnywhere }: OptionalField): object {
  if (!isAnywhere) return paths.reduce(without, body);
  const stripped = blockFields.flatMap((name) => {
    const held: unknown = Reflect.get(body, name);
    return held === undefined ? [] : [[name, withoutAnywhere(held, nameOfPath(paths))] as const];
  });
  return { ...body, ...Object.fromEntries(stripped) };
}

const blockFields = ['system', 'messages', 'input', 'tools'] as const;
/**
 * Block fields that contain blocks. Other fields, such as schemas and arguments, may have field names chosen by the
 * caller.
 */
const insideFields: ReadonlySet<string> = new Set(['content', 'function', 'custom', 'output']);

const listBlocks = (body: object): unknown[] => blockFields.map((name): unknown => Reflect.get(body, name));
const nameOfPath = ([[name = ''] = []]: OptionalField['paths']) => name;

function holdsAnywhere(value: unknown, name: string): boolean {
  if (Array.isArray(value)) return value.some((held) => holdsAnywhere(held, name));
  if (!isObject(value)) return false;
  if (holds(value, [name])) return true;
  return Object.entries(value).some(([field, held]) => insideFields.has(field) && holdsAnywhere(held, name));
}

function withoutAnywhere(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((held) => withoutAnywhere(held, name));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([field]) => field !== name);
  return Object.fromEntries(
    kept.map(([field, held]) => [field, insideFields.has(field) ? withoutAnywhere(held, name) : held]),
  );
}

function holds(body: object, [name = '', ...rest]: readonly string[]): boolean {
  const value: unknown = Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined;
  if (rest.length === 0) return value !== undefined;
  return isObject(value) && holds(value, rest);
}

function without(body: object, [name = '', ...rest]: readonly string[]): object {
  if (!holds(body, [name])) return body;
  const { [name]: value, ...others } = body as Readonly<Record<string, unknown>>;
  if (rest.length === 0) return others;
  return isObject(value) ? { ...others, [name]: without(value, rest) } : body;
}
