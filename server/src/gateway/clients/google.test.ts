import {
  ApiError,
  type Content,
  type GenerateContentConfig,
  type GenerateContentResponse,
  GoogleGenAI,
  type Part,
} from '@google/genai';
import {
  type ClientUnderTest,
  describeClient,
  question,
  riverSchema,
  type Said,
  toolResult,
  tools,
} from '#test/requests/client-suite.ts';

describeClient('@google/genai', ({ origin, apiKey, headers }): ClientUnderTest => {
  const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: `${origin}/api`, headers } });
  const functionDeclarations = tools.map(({ parameters, ...rest }) => ({
    ...rest,
    parametersJsonSchema: parameters,
  }));

  const generate = async (
    model: string,
    contents: Content[],
    config: GenerateContentConfig,
    isStream = false,
  ) => {
    const request = { model, contents, config };
    return isStream
      ? Array.fromAsync(await client.models.generateContentStream(request))
      : [await client.models.generateContent(request)];
  };
  const useTools = async (model: string, isStream: boolean, config: GenerateContentConfig = {}) => {
    const wanted = { tools: [{ functionDeclarations }], ...config };
    const calling = await generate(model, [user(question)], wanted, isStream);
    const parts = calling.flatMap(partsOf);
    const results = parts.flatMap(({ functionCall }) =>
      functionCall
        ? [{ functionResponse: { ...functionCall, args: undefined, response: { output: toolResult } } }]
        : [],
    );
    const contents = [user(question), { role: 'model', parts }, { role: 'user', parts: results }];
    return [readSaid(calling), readSaid(await generate(model, contents, wanted, isStream))] as const;
  };

  return {
    listModels: async () =>
      (await Array.fromAsync(await client.models.list())).map(({ name = '' }) => name.replace('models/', '')),
    ask: async (model, prompt) => readSaid(await generate(model, [user(prompt)], {})),
    async stream(model, prompt) {
      const answers = await generate(model, [user(prompt)], {}, true);
      return { ...readSaid(answers), pieces: answers.filter(({ text }) => text).length };
    },
    useTools,
    reason: (model, isStream) =>
      useTools(model, isStream, {
        tools: [{ functionDeclarations: functionDeclarations.slice(0, 1) }],
        thinkingConfig: { includeThoughts: true, thinkingBudget: 1_024 },
      }),
    async showImage(model, { mediaType, base64 }) {
      const parts = [{ text: question }, { inlineData: { mimeType: mediaType, data: base64 } }];
      return readSaid(await generate(model, [{ role: 'user', parts }], {})).text;
    },
    async askForJson(model) {
      const config = { responseMimeType: 'application/json', responseJsonSchema: riverSchema };
      return JSON.parse(readSaid(await generate(model, [user(question)], config)).text);
    },
    async leave(model) {
      const leaving = new AbortController();
      const config = { abortSignal: leaving.signal };
      const stream = await client.models.generateContentStream({ model, contents: question, config });
      for await (const { text } of stream) {
        if (!text) continue;
        leaving.abort();
        break;
      }
    },
    isErrorOf: (error, status) => error instanceof ApiError && error.status === status,
  };
});

const user = (text: string): Content => ({ role: 'user', parts: [{ text }] });

const partsOf = ({ candidates }: GenerateContentResponse): Part[] => candidates?.[0]?.content?.parts ?? [];

function readSaid(answers: readonly GenerateContentResponse[]): Said {
  const parts = answers.flatMap(partsOf);
  const usage = answers.findLast(({ usageMetadata }) => usageMetadata)?.usageMetadata;
  const join = (isThought: boolean) =>
    parts.map(({ text = '', thought = false }) => (thought === isThought ? text : '')).join('');
  return {
    text: join(false),
    reasoning: join(true),
    calls: parts.flatMap(({ functionCall }, index) =>
      functionCall
        ? [{ id: functionCall.id ?? `${index}`, name: functionCall.name ?? '', input: functionCall.args }]
        : [],
    ),
    usage: { input: usage?.promptTokenCount ?? -1, output: usage?.candidatesTokenCount ?? -1 },
  };
}
