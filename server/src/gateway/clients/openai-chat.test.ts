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

type Message = OpenAI.ChatCompletionMessageParam;

describeClient('openai (chat completions)', ({ origin, apiKey, headers }): ClientUnderTest => {
  const client = new OpenAI({
    apiKey,
    baseURL: `${origin}/api/v1`,
    maxRetries: 0,
    defaultHeaders: headers,
  });
  const functions = tools.map((tool) => ({ type: 'function' as const, function: tool }));

  const complete = async (body: OpenAI.ChatCompletionCreateParamsNonStreaming, isStream: boolean) => {
    if (!isStream) return client.chat.completions.create(body);
    const stream = client.chat.completions.stream({ ...body, stream: true });
    let reasoning = '';
    stream.on('chunk', ({ choices }) => {
      const delta = choices[0]?.delta;
      if (delta && 'reasoning_content' in delta) reasoning += delta.reasoning_content;
    });
    const completion = await stream.finalChatCompletion();
    // The client keeps only the last piece of an unknown field.
    if (reasoning !== '')
      Object.assign(completion.choices[0]?.message ?? {}, { reasoning_content: reasoning });
    return completion;
  };
  const useTools = async (model: string, isStream: boolean, more: object = {}) => {
    const messages: Message[] = [{ role: 'user', content: question }];
    const calling = await complete({ model, messages, tools: functions, ...more }, isStream);
    const said = readSaid(calling);
    const reply = calling.choices[0]?.message;
    if (reply) messages.push(reply);
    for (const { id } of said.calls) messages.push({ role: 'tool', tool_call_id: id, content: toolResult });
    return [
      said,
      readSaid(await complete({ model, messages, tools: functions, ...more }, isStream)),
    ] as const;
  };

  return {
    listModels: async () => (await Array.fromAsync(client.models.list())).map(({ id }) => id),
    ask: async (model, prompt) => readSaid(await complete({ model, messages: [user(prompt)] }, false)),
    async stream(model, prompt) {
      const stream = client.chat.completions.stream({
        model,
        messages: [user(prompt)],
        stream_options: { include_usage: true },
      });
      let pieces = 0;
      stream.on('content.delta', () => pieces++);
      return { ...readSaid(await stream.finalChatCompletion()), pieces };
    },
    useTools,
    reason: (model, isStream) =>
      useTools(model, isStream, {
        tools: functions.slice(0, 1),
        // OpenAI's own chat completions do not return the reasoning text.
        ...(model.startsWith('openai-chat')
          ? { reasoning_effort: 'low' }
          : { reasoning: { effort: 'low', exclude: false } }),
      }),
    async showImage(model, { mediaType, base64 }) {
      const image_url = { url: `data:${mediaType};base64,${base64}` };
      const content = [
        { type: 'text' as const, text: question },
        { type: 'image_url' as const, image_url },
      ];
      return readSaid(await complete({ model, messages: [{ role: 'user', content }] }, false)).text;
    },
    async askForJson(model) {
      const json_schema = { name: 'river', strict: true, schema: riverSchema };
      const { choices } = await client.chat.completions.parse({
        model,
        messages: [user(question)],
        response_format: { type: 'json_schema', json_schema },
      });
      return choices[0]?.message.parsed;
    },
    embed: async (model, input) =>
      (await client.embeddings.create({ model, input })).data.map(({ embedding }) => embedding),
    async leave(model) {
      const stream = await client.chat.completions.create({
        model,
        messages: [user(question)],
        stream: true,
      });
      for await (const { choices } of stream) if (choices[0]?.delta.content) break;
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

const user = (content: string): Message => ({ role: 'user', content });

function readSaid({ choices, usage }: OpenAI.ChatCompletion): Said {
  const message = choices[0]?.message;
  const reasoning = message && 'reasoning_content' in message ? message.reasoning_content : undefined;
  return {
    text: message?.content ?? '',
    calls: (message?.tool_calls ?? []).flatMap((call) =>
      call.type === 'function'
        ? [{ id: call.id, name: call.function.name, input: JSON.parse(call.function.arguments) }]
        : [],
    ),
    ...(typeof reasoning === 'string' && { reasoning }),
    ...(usage && { usage: { input: usage.prompt_tokens, output: usage.completion_tokens } }),
  };
}
