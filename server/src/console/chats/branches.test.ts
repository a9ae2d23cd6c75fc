import { authRoutes, chatsRoutes, createClient, type SendChatMessageBody } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';

const models = ['sandbox-normal', 'sandbox-inspect', 'sandbox-vision', 'sandbox-error-500', 'sandbox-slow'];

let gateway: TestGateway;
let calls: ReturnType<typeof createClient<typeof chatsRoutes>>;

beforeAll(async () => {
  gateway = await startGateway({
    async seed(seed) {
      const endpoint = `${seed.sandboxOrigin}/v1`;
      await seed.addInstance({ name: 'open', providerKey: 'custom', endpoint, models });
    },
  });
  const baseUrl = gateway.origin;
  const auth = createClient(authRoutes, { baseUrl, headers: () => ({}) });
  const form = { username: gateway.admin.email, password: gateway.admin.password };
  const { access_token } = await auth.login({ form });
  const headers = () => ({ authorization: `Bearer ${access_token}` });
  calls = createClient(chatsRoutes, { baseUrl, headers });
});
afterAll(() => gateway.stop());

const newChat = async () => (await calls.createChat({ body: {} })).id;
const readMessages = async (id: string) => (await calls.getChat({ params: { id } })).messages;
const readTexts = async (id: string) => (await readMessages(id)).map(({ content }) => content);

const send = (chatId: string, body: Omit<SendChatMessageBody, 'chat_id'>) =>
  calls.sendChatMessage({ body: { chat_id: chatId, model: 'sandbox-inspect', ...body } });

const readSaid = (answer: string): { role: string; content: unknown }[] =>
  JSON.parse(JSON.parse(answer).body).messages;

describe('regenerateChatAnswer', () => {
  it('regenerateChatAnswer adds a sibling with its own log row, and either one can be selected', async () => {
    const id = await newChat();
    const first = await send(id, { content: 'One?' });
    const messageId = first.message.id;
    const again = await calls.regenerateChatAnswer({ params: { id, messageId }, body: {} });
    expect(again.message.siblings).toEqual([messageId, again.message.id]);
    expect(readSaid(again.response)).toEqual([{ role: 'user', content: 'One?' }]);
    expect(again.chat_updated.total_tokens_used).toBe(
      (first.message.tokens_used ?? 0) + (again.message.tokens_used ?? 0),
    );
    const { rows } = await gateway.pool.query('SELECT cost_nano_usd FROM request_logs WHERE id = ANY($1)', [
      [first.message.request_id, again.message.request_id],
    ]);
    expect(rows).toHaveLength(2);
    expect((await readMessages(id)).map((message) => message.id)).toContain(again.message.id);
    const chosen = await calls.chooseChatBranch({ params: { id, messageId } });
    expect(chosen.messages[1]).toMatchObject({ id: messageId, siblings: again.message.siblings });
    expect(await readMessages(id)).toEqual(chosen.messages);
  });

  it('the total cost of a chat includes answers that were replaced', async () => {
    const id = await newChat();
    const { message } = await send(id, { content: 'One?' });
    await calls.regenerateChatAnswer({ params: { id, messageId: message.id }, body: {} });
    await gateway.pool.query(
      'UPDATE chat_messages SET cost_nano_usd = 1500000 WHERE chat_id = $1 AND NOT is_user',
      [id],
    );
    const { messages, total_cost } = await calls.getChat({ params: { id } });
    expect(messages.map(({ cost }) => cost)).toEqual([null, 0.0015]);
    expect(total_cost).toBe(0.003);
  });

  it('regenerateChatAnswer removes a failed answer and restores the previous one', async () => {
    const id = await newChat();
    const { message } = await send(id, { content: 'One?' });
    const before = await readMessages(id);
    const body = { model: 'sandbox-error-500' };
    const failed = calls.regenerateChatAnswer({ params: { id, messageId: message.id }, body });
    await expect(failed).rejects.toMatchObject({ status: expect.toSatisfy((status) => status >= 500) });
    expect(await readMessages(id)).toEqual(before);
  });
});

describe('an edited message', () => {
  it('sendChatMessage with an edit starts a branch, sends only this branch and keeps the others', async () => {
    const id = await newChat();
    await send(id, { content: 'One?' });
    const second = await send(id, { content: 'Two?' });
    const messages = await readMessages(id);
    const edited = messages[2]!.id;
    const sent = await send(id, { content: 'Three?', edited_message_id: edited });
    expect(readSaid(sent.response).map(({ content }) => content)).toEqual([
      'One?',
      messages[1]!.content,
      'Three?',
    ]);
    expect((await readTexts(id))[2]).toBe('Three?');
    await calls.chooseChatBranch({ params: { id, messageId: edited } });
    expect((await readMessages(id)).at(-1)).toMatchObject({ id: second.message.id });
    const followed = await send(id, { content: 'Four?' });
    expect(readSaid(followed.response).map(({ content }) => content)).toContain('Two?');
    expect(readSaid(followed.response).map(({ content }) => content)).not.toContain('Three?');
  });

  it('sendChatMessage can edit the first message, but returns 404 for an answer or an unknown message', async () => {
    const id = await newChat();
    const { message } = await send(id, { content: 'One?' });
    const [first] = await readMessages(id);
    await send(id, { content: 'Uno?', edited_message_id: first!.id });
    expect((await readMessages(id))[0]?.siblings).toHaveLength(2);
    expect((await readTexts(id))[0]).toBe('Uno?');
    for (const edited_message_id of [message.id, crypto.randomUUID()]) {
      const wrong = send(id, { content: 'Hm?', edited_message_id });
      await expect(wrong).rejects.toMatchObject({ status: 404 });
    }
  });

  it('regenerateChatAnswer and chooseChatBranch return 409 while an answer is being written', async () => {
    const id = await newChat();
    const { message } = await send(id, { content: 'One?' });
    const slow = send(id, { content: 'Two?', model: 'sandbox-slow' });
    await expect.poll(async () => (await readMessages(id)).at(-1)?.status).toBe('pending');
    const again = calls.regenerateChatAnswer({ params: { id, messageId: message.id }, body: {} });
    await expect(again).rejects.toMatchObject({ status: 409 });
    const chosen = calls.chooseChatBranch({ params: { id, messageId: message.id } });
    await expect(chosen).rejects.toMatchObject({ status: 409 });
    await calls.stopChat({ params: { id } });
    await slow;
  });
});

describe('chat images', () => {
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(64, 7)]);
  const picture = { name: 'dot.png', media_type: 'image/png', data: png.toString('base64') } as const;
  const url = `data:image/png;base64,${picture.data}`;
  const isShown = (said: { content: unknown } | undefined) =>
    JSON.stringify(said?.content ?? '').includes(url);

  it('sendChatMessage stores images and sends them to the model, including with later messages', async () => {
    const id = await newChat();
    const sent = await send(id, { content: 'What is it?', model: 'sandbox-vision', images: [picture] });
    expect(readSaid(sent.response)[0]?.content).toEqual([
      { type: 'text', text: 'What is it?' },
      { type: 'image_url', image_url: { url } },
    ]);
    const [question] = await readMessages(id);
    expect(question?.images).toEqual([{ id: expect.any(String), name: 'dot.png', is_kept: true }]);
    const params = { id, imageId: question!.images[0]!.id };
    expect(await calls.getChatImage({ params })).toEqual({ media_type: 'image/png', data: picture.data });
    const later = await send(id, { content: 'Sure?', model: 'sandbox-vision' });
    expect(isShown(readSaid(later.response)[0])).toBe(true);
    const edit = { content: 'And?', model: 'sandbox-vision', edited_message_id: question!.id };
    expect(isShown(readSaid((await send(id, edit)).response)[0])).toBe(true);
    expect((await readMessages(id))[0]?.images).toHaveLength(1);
  });

  it('sendChatMessage rejects new images and omits earlier ones if the model may not accept them', async () => {
    const id = await newChat();
    const refused = send(id, { content: 'What is it?', images: [picture] });
    await expect(refused).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('may not accept images'),
    });
    expect(await readMessages(id)).toEqual([]);
    await send(id, { content: 'What is it?', model: 'sandbox-vision', images: [picture] });
    const later = await send(id, { content: 'Sure?' });
    expect(readSaid(later.response)[0]).toEqual({ role: 'user', content: 'What is it?' });
  });

  it.each([
    [
      'an SVG file declared as PNG',
      [{ ...picture, data: Buffer.from('<svg/>').toString('base64') }],
      'is not a valid PNG image',
    ],
    [
      'a PNG image declared as JPEG',
      [{ ...picture, media_type: 'image/jpeg' as const }],
      'is not a valid JPEG image',
    ],
    ['five images', Array.from({ length: 5 }, () => picture), 'at most 4 images'],
    [
      'images of more than 6 MB in total',
      [1, 2].map(() => ({
        ...picture,
        data: Buffer.concat([png, Buffer.alloc(3_050_000)]).toString('base64'),
      })),
      'at most 6 MB in total',
    ],
  ])('sendChatMessage rejects %s', async (_what, images, problem) => {
    const body = { content: 'What is it?', model: 'sandbox-vision', images };
    await expect(send(await newChat(), body)).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining(problem),
    });
  });

  it.each(['redacted', 'metadata'])(
    'sendChatMessage sends images without storing them when prompt privacy is %s',
    async (mode) => {
      await gateway.pool.query('UPDATE tenants SET prompt_privacy = $1', [mode]);
      try {
        const id = await newChat();
        const sent = await send(id, { content: 'What is it?', model: 'sandbox-vision', images: [picture] });
        expect(isShown(readSaid(sent.response)[0])).toBe(true);
        const [question] = await readMessages(id);
        expect(question?.images).toEqual([{ id: expect.any(String), name: 'dot.png', is_kept: false }]);
        const params = { id, imageId: question!.images[0]!.id };
        await expect(calls.getChatImage({ params })).rejects.toMatchObject({ status: 404 });
      } finally {
        await gateway.pool.query("UPDATE tenants SET prompt_privacy = 'full'");
      }
    },
  );
});
