import {
  APICallError,
  type EmbeddingModel,
  embedMany,
  generateText,
  isStepCount,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  Output,
  streamText,
  tool,
} from 'ai';
import {
  type ClientUnderTest,
  type picture,
  question,
  riverSchema,
  type Said,
  toolResult,
  tools,
} from './client-suite.ts';

type Options = NonNullable<Parameters<typeof generateText>[0]['providerOptions']>;

/** Protocol supported by Vercel's AI SDK. */
export interface AiSdkProvider {
  model(name: string): LanguageModel;
  embeddings?(name: string): EmbeddingModel;
  /** Options that enable reasoning. Omitted if the client does not read reasoning. */
  readonly thinking?: Options;
  readonly always?: Options;
}

const toolSet = Object.fromEntries(
  tools.map(({ name, description, parameters }) => [
    name,
    tool({ description, inputSchema: jsonSchema(parameters), execute: async () => toolResult }),
  ]),
);

// Disables warnings about unknown model names, since all models of the gateway have such names.
globalThis.AI_SDK_LOG_WARNINGS = false;

export function createAiSdkClient({ model, embeddings, thinking, always }: AiSdkProvider): ClientUnderTest {
  const base = (name: string, options = always) => ({
    model: model(name),
    maxRetries: 0,
    ...(options && { providerOptions: options }),
  });
  const ask = async (name: string, messages: ModelMessage[]) =>
    readStep(await generateText({ ...base(name), messages }));

  const loop = async (name: string, isStream: boolean, names: readonly string[], options?: Options) => {
    const request = {
      ...base(name, options),
      prompt: question,
      tools: Object.fromEntries(names.map((used) => [used, toolSet[used]!])),
      stopWhen: isStepCount(3),
    };
    const steps = isStream ? await readSteps(streamText(request)) : (await generateText(request)).steps;
    const [calling, answering] = steps;
    if (!calling || !answering) throw new Error(`the loop ended after ${steps.length} steps`);
    return [readStep(calling), readStep(answering)] as const;
  };

  return {
    ask: (name, prompt) => ask(name, [{ role: 'user', content: prompt }]),
    stream: (name, prompt) => readPieces({ ...base(name), prompt }),
    useTools: (name, isStream) =>
      loop(
        name,
        isStream,
        tools.map((offered) => offered.name),
      ),
    ...(thinking && {
      reason: (name: string, isStream: boolean) => loop(name, isStream, ['find_river'], thinking),
    }),
    showImage: async (name, image) => (await ask(name, [showToUser(image)])).text,
    async askForJson(name) {
      const output = Output.object({ name: 'river', schema: jsonSchema(riverSchema) });
      return (await generateText({ ...base(name), prompt: question, output })).output;
    },
    ...(embeddings && {
      embed: async (name: string, values: string[]) =>
        (await embedMany({ model: embeddings(name), values, maxRetries: 0 })).embeddings,
    }),
    leave: (name) => leaveAfterFirst({ ...base(name), prompt: question }),
    isErrorOf: (error, status) => APICallError.isInstance(error) && error.statusCode === status,
  };
}

const showToUser = ({ mediaType, base64 }: typeof picture): ModelMessage => ({
  role: 'user',
  content: [
    { type: 'text', text: question },
    { type: 'file', data: base64, mediaType },
  ],
});

type TextRequest = Parameters<typeof streamText>[0];

async function readPieces(request: TextRequest): Promise<Said & { readonly pieces: number }> {
  const result = streamText({ ...request, onError: () => undefined });
  let pieces = 0;
  for await (const part of result.fullStream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'text-delta') pieces++;
  }
  return { ...readStep((await result.steps)[0]!), pieces };
}

async function leaveAfterFirst(request: TextRequest): Promise<void> {
  const leaving = new AbortController();
  const { textStream } = streamText({ ...request, abortSignal: leaving.signal, onError: () => undefined });
  for await (const text of textStream) {
    if (text === '') continue;
    leaving.abort();
    break;
  }
}

interface StreamOfSteps {
  readonly fullStream: AsyncIterable<{ readonly type: string; readonly error?: unknown }>;
  readonly steps: PromiseLike<readonly Step[]>;
}

async function readSteps(result: StreamOfSteps): Promise<readonly Step[]> {
  for await (const part of result.fullStream) if (part.type === 'error') throw part.error;
  return result.steps;
}

interface Step {
  readonly text: string;
  readonly reasoningText: string | undefined;
  readonly toolCalls: readonly {
    readonly toolCallId: string;
    readonly toolName: string;
    readonly input: unknown;
  }[];
  readonly usage: { readonly inputTokens: number | undefined; readonly outputTokens: number | undefined };
}

function readStep({ text, reasoningText, toolCalls, usage }: Step): Said {
  return {
    text,
    ...(reasoningText !== undefined && { reasoning: reasoningText }),
    calls: toolCalls.map(({ toolCallId, toolName, input }) => ({ id: toolCallId, name: toolName, input })),
    usage: { input: usage.inputTokens ?? -1, output: usage.outputTokens ?? -1 },
  };
}
