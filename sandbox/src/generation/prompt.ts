/** What a request asks for, whatever protocol it came in. */
export type Prompt = {
  promptTokens: number;
  lastUserText: string;
  choiceCount: number;
  /** Infinity when the client set no cap */
  maxTokens: number;
  stopSequences: readonly string[];
  format: AnswerFormat;
  /** the tool that the model is to call, null when there is none to call or its result is already there */
  tool: Tool | null;
  /** asked for only by the model that shows it */
  received: () => ReceivedRequest;
};

export type AnswerFormat = { kind: 'text' } | { kind: 'json' } | { kind: 'schema'; schema: unknown };

export type Tool = { name: string; schema: unknown };

export type ReceivedRequest = {
  path: string;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
};
