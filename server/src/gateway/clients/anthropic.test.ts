import Anthropic, { APIError } from '@anthropic-ai/sdk';
import {
  type ClientUnderTest,
  describeClient,
  question,
  riverSchema,
  type Said,
  toolResult,
  tools,
} from '#test/requests/client-suite.ts';

describeClient('@anthropic-ai/sdk', ({ origin, apiKey, headers }): ClientUnderTest => {
  const client = new Anthropic({
    apiKey,
    baseURL: `${origin}/api`,
    maxRetries: 0,
    defaultHeaders: headers,
  });
  const offered = tools.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters }));

  const create = (
    body: Omit<Anthropic.MessageCreateParamsNonStreaming, 'max_tokens'>,
    isStream: boolean,
  ): Promise<Anthropic.Message> => {
    const request = { max_tokens: 3_000, ...body };
    return isStream ? client.messages.stream(request).finalMessage() : client.messages.create(request);
  };
  const useTools = async (model: string, isStream: boolean, more: object = {}) => {
    const request = { model, tools: offered, ...more };
    const calling = await create({ ...request, messages: [user(question)] }, isStream);
    const said = readSaid(calling);
    const results = said.calls.map(({ id }) => ({
      type: 'tool_result' as const,
      tool_use_id: id,
      content: toolResult,
    }));
    const messages = [
      user(question),
      { role: 'assistant' as const, content: calling.content },
      { role: 'user' as const, content: results },
    ];
    return [said, readSaid(await create({ ...request, messages }, isStream))] as const;
  };

  return {
    listModels: async () => (await Array.fromAsync(client.models.list())).map(({ id }) => id),
    ask: async (model, prompt) => readSaid(await create({ model, messages: [user(prompt)] }, false)),
    async stream(model, prompt) {
      const stream = client.messages.stream({ model, max_tokens: 3_000, messages: [user(prompt)] });
      let pieces = 0;
      stream.on('text', () => pieces++);
      return { ...readSaid(await stream.finalMessage()), pieces };
    },
    useTools,
    reason: (model, isStream) =>
      useTools(model, isStream, {
        tools: offered.slice(0, 1),
        thinking: { type: 'enabled', budget_tokens: 1_024, display: 'summarized' },
      }),
    async showImage(model, { mediaType, base64 }) {
      const source = { type: 'base64' as const, media_type: mediaType, data: base64 };
      const content = [
        { type: 'image' as const, source },
        { type: 'text' as const, text: question },
      ];
      return readSaid(await create({ model, messages: [{ role: 'user', content }] }, false)).text;
    },
    async askForJson(model) {
      const output_config = { format: { type: 'json_schema' as const, schema: riverSchema } };
      return JSON.parse(
        readSaid(await create({ model, messages: [user(question)], output_config }, false)).text,
      );
    },
    async leave(model) {
      const stream = await client.messages.create({
        model,
        max_tokens: 3_000,
        messages: [user(question)],
        stream: true,
      });
      for await (const { type } of stream) if (type === 'content_block_delta') break;
    },
    isErrorOf: (error, status) =>
      error instanceof (errors.get(status) ?? APIError) &&
      error instanceof APIError &&
      error.status === status,
  };
});

const errors = new Map([
  [400, Anthropic.BadRequestError],
  [401, Anthropic.AuthenticationError],
  [404, Anthropic.NotFoundError],
  [429, Anthropic.RateLimitError],
  [502, Anthropic.InternalServerError],
]);

const user = (content: string): Anthropic.MessageParam => ({ role: 'user', content });

function readSaid({ content, usage }: Anthropic.Message): Said {
  return {
    text: content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(''),
    reasoning: content.flatMap((block) => (block.type === 'thinking' ? [block.thinking] : [])).join(''),
    calls: content.flatMap((block) =>
      block.type === 'tool_use' ? [{ id: block.id, name: block.name, input: block.input }] : [],
    ),
    usage: { input: usage.input_tokens, output: usage.output_tokens },
  };
}
