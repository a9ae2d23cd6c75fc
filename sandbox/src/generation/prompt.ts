const tokenPattern = /\s*(?:[\p{L}\p{M}\p{N}_]+|\S)|\s+$/gu;

/**
 * Splits a text into tokens. A token is a word (letters, marks, digits, underscores) or one other visible character,
 * with the preceding white space. Trailing white space is a separate token. The joined tokens equal the text.
 */
export function splitTokens(text: string): string[] {
  return text.match(tokenPattern) ?? [];
}

export function countTokens(text: string): number {
  return splitTokens(text).length;
}

export type Prompt = Reading & {
  choiceCount: number;
  /** `Infinity` if the client set no limit. */
  maxTokens: number;
  stopSequences: readonly string[];
  format: AnswerFormat;
  /** Functions that the model may call: all, only the chosen function, or none if calls are forbidden. */
  tools: readonly Tool[];
  /** Whether every model must call a tool, and not only models that call tools by default. */
  mustCall: boolean;
  allowsParallelCalls: boolean;
  reasoning: Reasoning;
  /** Whether the protocol can report tokens written to a cache. Otherwise no written tokens are reported. */
  countsCacheWrites?: boolean;
  /** Returns the received request. Called only by models that use it. */
  received: () => ReceivedRequest;
};

export interface Reading {
  promptTokens: number;
  lastUserText: string;
  /** Attachments after the last response. */
  attachments: readonly Attachment[];
  /** Whether the messages after the last response contain tool results. */
  hasFreshResults: boolean;
}

export type AnswerFormat = { kind: 'text' } | { kind: 'json' } | { kind: 'schema'; schema: unknown };

export interface Tool {
  name: string;
  schema: unknown;
}

/** Reasoning mode. `default` uses the model's own length, `on` requires a minimum length. `maxTokens` limits both. */
export interface Reasoning {
  mode: 'off' | 'default' | 'on';
  maxTokens: number;
}

/** Image or file. The size of a file given by URL is `null`. */
export interface Attachment {
  mediaType: string;
  byteCount: number | null;
}

export interface Turn {
  role: 'system' | 'user' | 'assistant' | 'tool';
  text: string;
  attachments?: readonly Attachment[];
}

export interface ReceivedRequest {
  path: string;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
}

/** OpenAI charges 85 tokens for an image with low detail. */
const tokensPerAttachment = 85;

export function readTurns(turns: readonly Turn[]): Reading {
  let promptTokens = 0;
  let lastUserText = '';
  for (const { role, text, attachments = [] } of turns) {
    promptTokens += countTokens(text) + attachments.length * tokensPerAttachment;
    if (role === 'user') lastUserText = text;
  }
  const lastAnswer = turns.findLastIndex(({ role }) => role === 'assistant');
  const fresh = turns.slice(lastAnswer + 1);
  return {
    promptTokens,
    lastUserText,
    attachments: fresh.flatMap(({ attachments = [] }) => attachments),
    hasFreshResults: fresh.some(({ role }) => role === 'tool'),
  };
}
