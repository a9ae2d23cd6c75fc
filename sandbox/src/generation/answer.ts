import type { Model } from '../models/catalogue.ts';
import { type Prompt, splitTokens } from './prompt.ts';
import { instanceOfSchema } from './schema-instance.ts';
import { composeSentences, seedOf } from './sentences.ts';

export interface Answer {
  choices: Choice[];
  promptTokens: number;
  /** Included in `promptTokens`. `cachedTokens` and `cacheWriteTokens` do not overlap. */
  cachedTokens: number;
  cacheWriteTokens: number;
  /** Sum over all choices. Included in `completionTokens`. */
  reasoningTokens: number;
  completionTokens: number;
}

export interface Choice {
  /** Parts in the order of generation. No part is empty. */
  parts: Part[];
  finish: Finish;
  /** Stop sequence that ended the text, or `null`. */
  stopSequence: string | null;
}

/** `refusal` means that the model declined; `blocked` means that a filter removed the whole response. */
export type Finish = 'stop' | 'stop_sequence' | 'length' | 'tool_call' | 'refusal' | 'blocked';

/** Part of a choice, in pieces of one token. The pieces of a call are its arguments in JSON. */
export type Part =
  | { kind: 'reasoning' | 'text' | 'refusal'; pieces: string[] }
  | { kind: 'tool-call'; name: string; pieces: string[] };

/** Number of reasoning tokens if the client requests reasoning from a model that does not reason by default. */
const reasoningTokensDefault = 24;

/** The same prompt and model always result in the same response. */
export function answerPrompt(prompt: Prompt, model: Model): Answer {
  const { cached_tokens, cache_write_tokens } = model.settings;
  // An inspection is JSON, which would be invalid if truncated by a limit that a gateway added.
  const maxTokens = model.source === 'inspect' ? Infinity : prompt.maxTokens;
  const choices = Array.from({ length: prompt.choiceCount }, (_, index) =>
    limitLength(generate(prompt, model, index), maxTokens),
  );
  const cachedTokens = Math.min(cached_tokens, prompt.promptTokens);
  const uncachedTokens = prompt.promptTokens - cachedTokens;
  const parts = choices.flatMap((choice) => choice.parts);
  return {
    choices,
    promptTokens: prompt.promptTokens,
    cachedTokens,
    cacheWriteTokens: prompt.countsCacheWrites ? Math.min(cache_write_tokens, uncachedTokens) : 0,
    reasoningTokens: countPieces(parts.filter(({ kind }) => kind === 'reasoning')),
    completionTokens: countPieces(parts),
  };
}

/** Returns a response without content that is only billed, such as for embeddings. */
export function emptyAnswer(promptTokens: number): Answer {
  return {
    choices: [],
    promptTokens,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    completionTokens: 0,
  };
}

export function textOf({ parts }: Choice, kind: Part['kind']): string {
  return parts.flatMap((part) => (part.kind === kind ? part.pieces : [])).join('');
}

/** Returns the arguments of a call as a value, or an empty object if the call was truncated. */
export function argumentsOf({ pieces }: Part): unknown {
  try {
    return JSON.parse(pieces.join(''));
  } catch {
    return {};
  }
}

function generate(prompt: Prompt, model: Model, index: number): Choice {
  const textChoice = (kind: 'text' | 'refusal', pieces: string[], finish: Finish = 'stop'): Choice => ({
    parts: [...reason(prompt, model, index), { kind, pieces }],
    finish,
    stopSequence: null,
  });
  switch (model.source) {
    case 'inspect':
      return textChoice('text', splitTokens(JSON.stringify(prompt.received())));
    case 'blocked':
      return { parts: [], finish: 'blocked', stopSequence: null };
    case 'refusal':
      return textChoice('refusal', splitTokens('I cannot help with that.'), 'refusal');
    case 'script': {
      // Scripted answers contain reasoning only if the model name requests reasoning tokens.
      const thoughts = model.settings.reasoning_tokens > 0 ? reason(prompt, model, index) : [];
      return follow(readScript(prompt), thoughts);
    }
    case 'echo':
      return cutAtStop(textChoice('text', splitTokens(prompt.lastUserText)), prompt.stopSequences);
  }
  if ((model.source === 'tool' || prompt.mustCall) && prompt.tools.length > 0 && !prompt.hasFreshResults) {
    const preface = composeSentences(seedOf(model.name, 'preface'), model.settings.preface_tokens);
    const { parts } = textChoice('text', preface);
    return { parts: [...parts, ...callTools(prompt, model)], finish: 'tool_call', stopSequence: null };
  }
  return cutAtStop(textChoice('text', compose(prompt, model, index)), prompt.stopSequences);
}

function reason({ reasoning, lastUserText }: Prompt, model: Model, index: number): Part[] {
  if (reasoning.mode === 'off') return [];
  const liked = model.settings.reasoning_tokens;
  const wanted = liked === 0 && reasoning.mode === 'on' ? reasoningTokensDefault : liked;
  const seed = seedOf(model.name, lastUserText, 'reasoning', String(index));
  return [{ kind: 'reasoning', pieces: composeSentences(seed, Math.min(wanted, reasoning.maxTokens)) }];
}

/** Answer that a request specifies in the header `x-sandbox-answer`. */
interface Script {
  text?: string;
  call?: { name: string; arguments: unknown };
}

function readScript(prompt: Prompt): Script {
  return JSON.parse(String(prompt.received().headers['x-sandbox-answer'] ?? '{}'));
}

function follow({ text = '', call }: Script, thoughts: Part[]): Choice {
  if (!call)
    return {
      parts: [...thoughts, { kind: 'text', pieces: splitTokens(text) }],
      finish: 'stop',
      stopSequence: null,
    };
  const pieces = splitTokens(JSON.stringify(call.arguments));
  const parts: Part[] = [...thoughts, { kind: 'tool-call', name: call.name, pieces }];
  return { parts, finish: 'tool_call', stopSequence: null };
}

/** Returns as many calls as the model's `calls` setting, or one call if the client forbids parallel calls. */
function callTools({ tools, allowsParallelCalls }: Prompt, { settings }: Model): Part[] {
  const length = allowsParallelCalls ? settings.calls : 1;
  return Array.from({ length }, (_, index) => tools[index % tools.length]).flatMap((tool) => {
    if (!tool) return [];
    const pieces = splitTokens(JSON.stringify(instanceOfSchema(tool.schema)));
    return [{ kind: 'tool-call', name: tool.name, pieces }];
  });
}

function compose({ format, lastUserText, attachments }: Prompt, model: Model, index: number): string[] {
  if (format.kind === 'schema') return splitTokens(JSON.stringify(instanceOfSchema(format.schema)));
  const seed = seedOf(model.name, lastUserText, String(index));
  const sentences = composeSentences(seed, model.settings.tokens);
  if (format.kind === 'json') return splitTokens(JSON.stringify({ answer: sentences.join('') }));
  if (attachments.length === 0) return sentences;
  const seen = attachments.map(({ mediaType, byteCount }) =>
    byteCount === null ? mediaType : `${mediaType} of ${byteCount} bytes`,
  );
  return [...splitTokens(`I see ${seen.join(', ')}.\n`), ...sentences];
}

function cutAtStop(choice: Choice, stopSequences: readonly string[]): Choice {
  const text = textOf(choice, 'text');
  const found = stopSequences
    .map((sequence) => ({ sequence, position: text.indexOf(sequence) }))
    .filter(({ position }) => position >= 0)
    .sort((one, other) => one.position - other.position)
    .at(0);
  if (!found) return choice;
  const spoken = choice.parts.filter(({ kind }) => kind !== 'text');
  const pieces = splitTokens(text.slice(0, found.position));
  return {
    parts: [...spoken, { kind: 'text', pieces }],
    finish: 'stop_sequence',
    stopSequence: found.sequence,
  };
}

function limitLength(choice: Choice, maxTokens: number): Choice {
  let left = maxTokens;
  const parts: Part[] = [];
  for (const part of choice.parts) {
    const pieces = part.pieces.length <= left ? part.pieces : part.pieces.slice(0, left);
    left -= pieces.length;
    if (pieces.length > 0) parts.push({ ...part, pieces });
  }
  const isWhole = countPieces(parts) === countPieces(choice.parts);
  return isWhole ? { ...choice, parts } : { parts, finish: 'length', stopSequence: null };
}

function countPieces(parts: Part[]): number {
  return parts.reduce((sum, { pieces }) => sum + pieces.length, 0);
}
