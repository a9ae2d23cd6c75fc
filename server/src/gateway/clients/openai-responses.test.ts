import OpenAI, { APIError } from 'openai';
import {
  type ClientUnderTest,
  describeClient,
  question,
  riverSchema,
  type Said,
  toolResult,
  tools,
} from '#test/requests/client-suite.ts';

type Body = OpenAI.Responses.ResponseCreateParamsNonStreaming;
type Item = OpenAI.Responses.ResponseInputItem;

describeClient('openai (responses)', ({ origin, apiKey, headers }): ClientUnderTest => {
  const client = new OpenAI({
    apiKey,
    baseURL: `${origin}/api/v1`,
    maxRetries: 0,
    defaultHeaders: headers,
  });
  const functions = tools.map((tool) => ({ type: 'function' as const, strict: false, ...tool }));

  const respond = async (body: Body, isStream: boolean) =>
    isStream
      ? await client.responses.stream({ ...body, stream: true }).finalResponse()
      : await client.responses.create(body);
  const useTools = async (model: string, isStream: boolean, more: object = {}) => {
    const request = { model, tools: functions, store: false, ...more };
    const input: Item[] = [{ role: 'user', content: question }];
    const calling = await respond({ ...request, input }, isStream);
    const said = readSaid(calling);
    // safe because output items are valid input items
    input.push(...(calling.output as Item[]));
    for (const { id } of said.calls)
      input.push({ type: 'function_call_output', call_id: id, output: toolResult });
    return [said, readSaid(await respond({ ...request, input }, isStream))] as const;
  };

  return {
    ask: async (model, prompt) => readSaid(await respond({ model, input: prompt }, false)),
    async stream(model, prompt) {
      const stream = client.responses.stream({ model, input: prompt });
      let pieces = 0;
      stream.on('response.output_text.delta', () => pieces++);
      const response = await stream.finalResponse();
      // The SDK does not throw if the provider returns a failed response.
      if (response.status === 'failed') throw new Error(response.error?.message);
      return { ...readSaid(response), pieces };
    },
    useTools,
    reason: (model, isStream) =>
      useTools(model, isStream, {
        tools: functions.slice(0, 1),
        reasoning: { effort: 'low', summary: 'auto' },
        include: ['reasoning.encrypted_content'],
      }),
    async showImage(model, { mediaType, base64 }) {
      const content = [
        { type: 'input_text' as const, text: question },
        {
          type: 'input_image' as const,
          detail: 'auto' as const,
          image_url: `data:${mediaType};base64,${base64}`,
        },
      ];
      return (await respond({ model, input: [{ role: 'user', content }] }, false)).output_text;
    },
    async askForJson(model) {
      const format = { type: 'json_schema' as const, name: 'river', strict: true, schema: riverSchema };
      const { output_parsed } = await client.responses.parse({ model, input: question, text: { format } });
      return output_parsed;
    },
    async leave(model) {
      const stream = await client.responses.create({ model, input: question, stream: true });
      for await (const { type } of stream) if (type === 'response.output_text.delta') break;
    },
    isErrorOf: (error, status) =>
      error instanceof (errors.get(status) ?? APIError) &&
      error instanceof APIError &&
      error.status === status,
  };
});

const errors = new Map([
  [400, OpenAI.BadRequestError],
  [401, OpenAI.AuthenticationError],
  [404, OpenAI.NotFoundError],
  [429, OpenAI.RateLimitError],
  [502, OpenAI.InternalServerError],
]);

function readSaid({ output, output_text, usage }: OpenAI.Responses.Response): Said {
  return {
    text: output_text,
    reasoning: output
      .flatMap((item) => (item.type === 'reasoning' ? item.summary.map(({ text }) => text) : []))
      .join(''),
    calls: output.flatMap((item) =>
      item.type === 'function_call'
        ? [{ id: item.call_id, name: item.name, input: JSON.parse(item.arguments) }]
        : [],
    ),
    ...(usage && { usage: { input: usage.input_tokens, output: usage.output_tokens } }),
  };
}
