import { countTokens } from './tokens.ts';

/** What a request asks for, whatever protocol it came in. */
export type Prompt = Reading & {
  choiceCount: number;
  /** Infinity when the client set no cap */
  maxTokens: number;
  stopSequences: readonly string[];
  format: AnswerFormat;
  /** the functions that the model may call: the chosen one alone, none when calls are forbidden */
  tools: readonly Tool[];
  /** whether any model has to call, not only those that like to */
  mustCall: boolean;
  allowsParallelCalls: boolean;
  reasoning: Reasoning;
  /** whether the protocol can say what was written to a cache; elsewhere nothing is */
  countsCacheWrites?: boolean;
  /** asked for only by the model that shows it */
  received: () => ReceivedRequest;
};

/** What is in the messages of a request. */
export interface Reading {
  promptTokens: number;
  lastUserText: string;
  /** what came since the last answer beside text */
  attachments: readonly Attachment[];
  /** whether results of tools came after the last answer */
  hasFreshResults: boolean;
}

export type AnswerFormat = { kind: 'text' } | { kind: 'json' } | { kind: 'schema'; schema: unknown };

export interface Tool {
  name: string;
  schema: unknown;
}

/** `default` is as long as the model likes it, `on` at least a little; never longer than `maxTokens`. */
export interface Reasoning {
  mode: 'off' | 'default' | 'on';
  maxTokens: number;
}

/** A picture or a file; what lies at an address has no size. */
export interface Attachment {
  mediaType: string;
  byteCount: number | null;
}

/** One message, or the part of it that one side said. */
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

/** A picture costs as much as a small one does elsewhere. */
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
