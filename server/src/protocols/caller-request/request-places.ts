import { isObject } from '#json/json-value.ts';
import type { IsFound } from '../canonical/request.ts';
import { formatPath } from './caller-body.ts';

export type CallerDialect =
  | 'openai-chat'
  | 'openai-responses'
  | 'anthropic-messages'
  | 'gemini'
  | 'embeddings';

/** Within these fields, tools and models appear only under specific keys. */
const conversations: Readonly<Record<CallerDialect, ReadonlySet<string>>> = {
  'openai-chat': new Set(['messages', 'prediction']),
  'openai-responses': new Set(['input', 'instructions']),
  'anthropic-messages': new Set(['messages', 'system']),
  gemini: new Set(['contents', 'systeminstruction']),
  embeddings: new Set(['input']),
};

/**
 * Fields with the caller's own data: JSON Schemas, tool arguments and tool results. Providers do not act on this
 * data.
 */
const ownData =
  words(`schema jsonschema inputschema outputschema parametersjsonschema responseschema responsejsonschema guidedjson
  structuredoutputs arguments args partialargs inputexamples response logitbias env variables`);
/**
 * Keys of the caller's labels. Texts in labels are the caller's own data; arrays and objects are not treated as
 * labels.
 */
const labelMaps = words('metadata clientmetadata labels');
/** Types of tool calls, whose `input` is the caller's own data. */
const calls = /(_use|_call)$/;
/** Tool types with a JSON Schema in `parameters`. In other tools, `parameters` are settings. */
const callerTools: ReadonlySet<unknown> = new Set(['function', 'custom', null, undefined]);

const modelKeys = words(
  `preset presets route router deployment deploymentid deploymentname agentid assistantid engine engines engineid
  enginename llm llms llmid llmname checkpoint`,
);
/** Adapters are separate models. Lists of fallbacks have names such as `context_window_fallbacks`. */
const modelKeyPattern = /fallbacks?$|^(lora|adapter)(s|id|name|path|request)?$/;
/** Keys that contain "model" but do not refer to a model. */
const otherKeys = words('modelarmorconfig modelidentity');
/** Settings that may appear next to a model's name in an object. */
const settings = words('type role effort speed servicetier display format status');
/** Values that do not select a model. */
const harmlessValues = words('fallback sort true false');
/** OpenRouter plugins that use the requested model. Other plugins select models themselves. */
const allowedPlugins = words('web fileparser responsehealing contextcompression moderation');
/** Keys of short texts and ids, which may equal a model's name by chance. */
const labelKeys =
  words(`name title id user promptcachekey safetyidentifier stop stopsequences text prompt suffix
  instructions description taskid`);
const nameLettersMax = 200;

/**
 * Finds the first part of a request, at any depth, that `isFound` selects: a tool, a model name, a name for which the
 * provider picks the models, or an unknown field that may name a model. The requested `model` itself is skipped.
 * Returns the part's path, such as `input[3].tools[0]`, or `null`.
 */
export function findPlace(request: object, dialect: CallerDialect, isFound: IsFound): string | null {
  const walk = new PlaceWalk(dialect, isFound);
  return walk.readRequest(request) ? formatPath(walk.path) : null;
}

class PlaceWalk {
  readonly path: PropertyKey[] = [];
  readonly #dialect: CallerDialect;
  readonly #isFound: IsFound;
  #isConversation = false;

  constructor(dialect: CallerDialect, isFound: IsFound) {
    this.#dialect = dialect;
    this.#isFound = isFound;
  }

  readRequest(request: object): boolean {
    // `for...in` is safe, because the prototype has no enumerable names. `Object.entries` would take longer than the
    // walk.
    for (const name in request) {
      if (name === 'model') continue;
      this.#isConversation = conversations[this.#dialect].has(normalize(name));
      if (this.#isNamedBy(name) || this.#enter(name, request[name as keyof typeof request], request))
        return true;
    }
    return false;
  }

  #readFields(holder: object): boolean {
    for (const name in holder)
      if (this.#isNamedBy(name) || this.#enter(name, holder[name as keyof typeof holder], holder))
        return true;
    return false;
  }

  #isNamedBy(name: string): boolean {
    if (
      this.#isConversation ||
      name.length > nameLettersMax ||
      !this.#isFound({ kind: 'value', value: name })
    )
      return false;
    this.path.push(name);
    return true;
  }

  #enter(name: string, value: unknown, holder: object): boolean {
    if (value === null || typeof value === 'number' || typeof value === 'boolean') return false;
    this.path.push(name);
    const isFound = this.#readField(normalize(name), value, holder);
    if (!isFound) this.path.pop();
    return isFound;
  }

  #readField(key: string, value: unknown, holder: object): boolean {
    if (isModelKey(key)) return this.#readModels(value);
    if (isOwnData(key, holder)) return false;
    if (labelMaps.has(key) && isObject(value)) return this.#readLabels(value);
    if (key === 'plugins') return this.#readPlugins(value);
    if (key === 'tools' || key === 'functions') return this.#readTools(value);
    if ((key === 'tool' || key === 'definition') && typeof value === 'object') return this.#readTool(value);
    return this.#readValue(key, value);
  }

  #readValue(key: string, value: unknown): boolean {
    if (Array.isArray(value)) return this.#each(value, (held) => this.#readValue(key, held));
    if (isObject(value)) return this.#readFields(value);
    if (typeof value !== 'string' || this.#isConversation || labelKeys.has(key)) return false;
    return value.length <= nameLettersMax && this.#isFound({ kind: 'value', value });
  }

  #readLabels(labels: object): boolean {
    for (const [name, held] of Object.entries(labels))
      if (typeof held === 'object' && this.#enter(name, held, labels)) return true;
    return false;
  }

  #readTools(value: unknown): boolean {
    if (Array.isArray(value)) return this.#each(value, (tool) => this.#readTools(tool));
    return this.#readTool(value);
  }

  #readTool(tool: unknown): boolean {
    if (this.#isFound({ kind: 'tool', value: tool })) return true;
    return isObject(tool) && this.#readFields(tool);
  }

  /** In a field that names models, any text counts as a model name, except the settings next to it. */
  #readModels(value: unknown): boolean {
    if (Array.isArray(value)) return this.#each(value, (held) => this.#readModels(held));
    if (typeof value === 'string') return this.#readModel(value);
    if (!isObject(value)) return false;
    for (const [name, held] of Object.entries(value)) {
      if (this.#isNamedBy(name)) return true;
      this.path.push(name);
      const isSetting = settings.has(normalize(name));
      if (isSetting ? this.#readValue('', held) : this.#readModels(held)) return true;
      this.path.pop();
    }
    return false;
  }

  #readModel(name: string): boolean {
    if (name === '' || harmlessValues.has(name)) return false;
    const value = this.#dialect === 'gemini' ? name.replace(/^(.*\/)?models\//, '') : name;
    const isPreset = this.path.some(
      (step) => typeof step === 'string' && normalize(step).startsWith('preset'),
    );
    return this.#isFound({ kind: isPreset || name.startsWith('@preset/') ? 'choice' : 'model', value });
  }

  #readPlugins(value: unknown): boolean {
    if (Array.isArray(value)) return this.#each(value, (plugin) => this.#readPlugins(plugin));
    const id = isObject(value) && 'id' in value ? value.id : value;
    if (typeof id === 'string' && !allowedPlugins.has(normalize(id))) {
      if (isObject(value)) this.path.push('id');
      return this.#isFound({ kind: 'choice', value: id }) || this.#leave(isObject(value));
    }
    return isObject(value) && this.#readFields(value);
  }

  #leave(isInside: boolean): false {
    if (isInside) this.path.pop();
    return false;
  }

  #each(values: readonly unknown[], read: (value: unknown) => boolean): boolean {
    for (let index = 0; index < values.length; index++) {
      const value = values[index];
      if (typeof value === 'number' || value === null) continue;
      this.path.push(index);
      if (read(value)) return true;
      this.path.pop();
    }
    return false;
  }
}

function isModelKey(key: string): boolean {
  return (key.includes('model') && !otherKeys.has(key)) || modelKeys.has(key) || modelKeyPattern.test(key);
}

function isOwnData(key: string, holder: object): boolean {
  if (ownData.has(key)) return true;
  const type = 'type' in holder ? holder.type : null;
  if (key === 'input') return typeof type === 'string' && calls.test(type);
  return key === 'parameters' && callerTools.has(type);
}

const normalized = new Map<string, string>();
const normalizedMax = 2_000;

/**
 * Maximum length for Unicode normalization, which takes quadratic time for many accents on one letter. No provider
 * reads longer keys.
 */
const normalizedLengthMax = 1_000;

/** Cached, since requests repeat the same keys. */
function normalize(key: string): string {
  const known = normalized.get(key);
  if (known !== undefined) return known;
  const compatible = key.length > normalizedLengthMax ? key : key.normalize('NFKC');
  const plain = compatible.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  if (normalized.size < normalizedMax && key.length < 64) normalized.set(key, plain);
  return plain;
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}
