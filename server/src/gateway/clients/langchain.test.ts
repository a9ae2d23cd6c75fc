import { type AIMessage, AIMessageChunk, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai';
import {
  type ClientUnderTest,
  describeClient,
  question,
  riverSchema,
  type Said,
  toolResult,
  tools,
} from '#test/requests/client-suite.ts';

describeClient('@langchain/openai', ({ origin, apiKey, headers }): ClientUnderTest => {
  const configuration = { baseURL: `${origin}/api/v1`, defaultHeaders: headers };
  const connect = (model: string) => new ChatOpenAI({ apiKey, model, configuration, maxRetries: 0 });
  const functions = tools.map((tool) => ({ type: 'function' as const, function: tool }));

  const collect = async (stream: AsyncIterable<AIMessageChunk>) => {
    const chunks = await Array.fromAsync(stream);
    const whole = chunks.reduce((sum, chunk) => sum.concat(chunk), new AIMessageChunk(''));
    return { whole, pieces: chunks.filter(({ text }) => text !== '').length };
  };

  return {
    ask: async (model, prompt) => readSaid(await connect(model).invoke(prompt)),
    async stream(model, prompt) {
      const { whole, pieces } = await collect(await connect(model).stream(prompt));
      return { ...readSaid(whole), pieces };
    },
    async useTools(model, isStream) {
      const bound = connect(model).bindTools(functions);
      const messages = [new HumanMessage(question)];
      const ask = async (said: (HumanMessage | AIMessage | ToolMessage)[]) =>
        isStream ? (await collect(await bound.stream(said))).whole : bound.invoke(said);
      const calling = await ask(messages);
      const said = readSaid(calling);
      const results = said.calls.map(({ id }) => new ToolMessage({ content: toolResult, tool_call_id: id }));
      return [said, readSaid(await ask([...messages, calling, ...results]))] as const;
    },
    async showImage(model, { mediaType, base64 }) {
      const content = [
        { type: 'text', text: question },
        { type: 'image_url', image_url: { url: `data:${mediaType};base64,${base64}` } },
      ];
      return readSaid(await connect(model).invoke([new HumanMessage({ content })])).text;
    },
    askForJson: (model) =>
      connect(model)
        .withStructuredOutput(riverSchema, { name: 'river', method: 'jsonSchema', strict: true })
        .invoke(question),
    embed: (model, texts) =>
      new OpenAIEmbeddings({ apiKey, model, configuration, maxRetries: 0 }).embedDocuments(texts),
    async leave(model) {
      const leaving = new AbortController();
      const stream = await connect(model).stream(question, { signal: leaving.signal });
      for await (const { text } of stream) {
        if (text === '') continue;
        leaving.abort();
        break;
      }
    },
    isErrorOf: (error, status) => error instanceof Error && 'status' in error && error.status === status,
  };
});

function readSaid({ text, tool_calls = [], usage_metadata: usage }: AIMessage | AIMessageChunk): Said {
  return {
    text,
    calls: tool_calls.map(({ id = '', name, args }) => ({ id, name, input: args })),
    ...(usage && { usage: { input: usage.input_tokens, output: usage.output_tokens } }),
  };
}
