import type { Model } from '../models/catalogue.ts';
import type { Prompt } from './prompt.ts';
import { instanceOfSchema } from './schema-instance.ts';
import { composeSentences, seedOf } from './sentences.ts';
import { splitTokens } from './tokens.ts';

/** Everything a model says to a prompt, whatever protocol carries it. */
export type Answer = {
  choices: Choice[];
  promptTokens: number;
  cachedTokens: number;
  /** summed over the choices and part of `completionTokens` */
  reasoningTokens: number;
  completionTokens: number;
};

export type Choice = {
  /** the text in tokens; of a tool call its arguments in JSON */
  pieces: string[];
  toolName: string | null;
  finish: 'stop' | 'length' | 'tool_call';
};

/** The whole answer, known before its first byte leaves: the same prompt and model always give the same one. */
export function answerPrompt(prompt: Prompt, model: Model): Answer {
  const reasoningPerChoice = Math.min(model.settings.reasoning_tokens, prompt.maxTokens);
  // A cut inspection could not be read, so the caps that a gateway adds do not bind it.
  const maxVisible = model.source === 'inspect' ? Infinity : prompt.maxTokens - reasoningPerChoice;
  const choices: Choice[] = [];
  let completionTokens = 0;
  for (let index = 0; index < prompt.choiceCount; index++) {
    const choice = limitLength(generate(prompt, model, index), maxVisible);
    choices.push(choice);
    completionTokens += reasoningPerChoice + choice.pieces.length;
  }
  return {
    choices,
    promptTokens: prompt.promptTokens,
    cachedTokens: Math.min(model.settings.cached_tokens, prompt.promptTokens),
    reasoningTokens: reasoningPerChoice * prompt.choiceCount,
    completionTokens,
  };
}

function generate(prompt: Prompt, model: Model, index: number): Choice {
  if (model.source === 'tool' && prompt.tool) {
    const pieces = splitTokens(JSON.stringify(instanceOfSchema(prompt.tool.schema)));
    return { pieces, toolName: prompt.tool.name, finish: 'tool_call' };
  }
  if (model.source === 'inspect') {
    return { pieces: splitTokens(JSON.stringify(prompt.received())), toolName: null, finish: 'stop' };
  }
  const pieces = model.source === 'echo' ? splitTokens(prompt.lastUserText) : compose(prompt, model, index);
  return { pieces: cutAtStop(pieces, prompt.stopSequences), toolName: null, finish: 'stop' };
}

function compose({ format, lastUserText }: Prompt, model: Model, index: number): string[] {
  if (format.kind === 'schema') return splitTokens(JSON.stringify(instanceOfSchema(format.schema)));
  const seed = seedOf(model.name, lastUserText, String(index));
  const sentences = composeSentences(seed, model.settings.tokens);
  return format.kind === 'text' ? sentences : splitTokens(JSON.stringify({ answer: sentences.join('') }));
}

function cutAtStop(pieces: string[], stopSequences: readonly string[]): string[] {
  if (stopSequences.length === 0) return pieces;
  const text = pieces.join('');
  const found = stopSequences.map((sequence) => text.indexOf(sequence)).filter((position) => position >= 0);
  return found.length === 0 ? pieces : splitTokens(text.slice(0, Math.min(...found)));
}

function limitLength(choice: Choice, maxTokens: number): Choice {
  if (choice.pieces.length <= maxTokens) return choice;
  return { ...choice, pieces: choice.pieces.slice(0, maxTokens), finish: 'length' };
}
