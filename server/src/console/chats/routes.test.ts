import {
  authRoutes,
  type ChatWithMessages,
  chatsRoutes,
  createClient,
  noChatTask,
  usersRoutes,
} from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSystemDatabase } from '#db/system.ts';
import { createEndLostChatAnswers } from '#jobs/end-lost-answers.ts';
import { runAlone } from '#jobs/run-alone.ts';
import { createLogger } from '#platform/logger.ts';
import { postgresRequestLog } from '#request-log/postgres/postgres-request-log.ts';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';

const models = [
  'sandbox-normal',
  'sandbox-slow:tokens=200',
  'sandbox-error-500',
  'sandbox-stream-error',
] as const;

let gateway: TestGateway;
let adminToken: string;
let memberToken: string;
let memberId: number;

beforeAll(async () => {
  gateway = await startGateway({
    async seed(seed) {
      const endpoint = `${seed.sandboxOrigin}/v1`;
      await seed.addInstance({ name: 'open', providerKey: 'custom', endpoint, models: [...models] });
    },
  });
  memberId = await addMember('mara@chats.test');
  adminToken = await signIn(gateway.admin.email);
  memberToken = await signIn('mara@chats.test');
});
afterAll(() => gateway.stop());

async function signIn(email: string): Promise<string> {
  const auth = createClient(authRoutes, { baseUrl: gateway.origin, headers: () => ({}) });
  const form = { username: email, password: gateway.admin.password };
  return (await auth.login({ form })).access_token;
}

async function addMember(email: string): Promise<number> {
  const { rows } = await gateway.pool.query<{ id: number }>(
    `INSERT INTO users (tenant_id, role_id, email, name, password_hash)
     SELECT 1, roles.id, $1, $1, admin.password_hash
     FROM roles, users admin WHERE roles.name = 'user' AND admin.email = $2 RETURNING id`,
    [email, gateway.admin.email],
  );
  return rows[0]!.id;
}

async function addTask(userId: number, tokenLimit: number | null): Promise<number> {
  const { rows } = await gateway.pool.query<{ id: number }>(
    `INSERT INTO tasks (tenant_id, title, description, category, difficulty_level, estimated_hours, token_limit)
     VALUES (1, 'Retry helper', 'Make calls retry safely', 'coding', 'beginner', 1, $1) RETURNING id`,
    [tokenLimit],
  );
  await gateway.pool.query('INSERT INTO task_assignments (tenant_id, task_id, user_id) VALUES (1, $1, $2)', [
    rows[0]!.id,
    userId,
  ]);
  return rows[0]!.id;
}

const callsAs = (token: string) =>
  createClient(chatsRoutes, {
    baseUrl: gateway.origin,
    headers: () => ({ authorization: `Bearer ${token}` }),
  });

const newChat = async (token = adminToken) => (await callsAs(token).createChat({ body: {} })).id;
const readChat = (id: string, token = adminToken) => callsAs(token).getChat({ params: { id } });
const untilChat = (id: string, holds: (chat: ChatWithMessages) => boolean) =>
  expect.poll(() => readChat(id), { timeout: 15_000, interval: 20 }).toSatisfy(holds);

const stream = (chatId: string, model: string, signal?: AbortSignal) =>
  fetch(`${gateway.origin}/api/v1/chats/send`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${adminToken}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify({ chat_id: chatId, content: 'Write a function', model }),
    ...(signal && { signal }),
  });

async function readEvents(response: Response) {
  const frames = (await response.text()).trim().split('\n\n');
  return frames.map((frame) => {
    const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(frame) ?? [];
    return { event, data: JSON.parse(data ?? 'null') };
  });
}

describe('a chat', () => {
  it('sendChatMessage stores both messages, titles the chat after the first, and matches the log', async () => {
    const id = await newChat();
    const sent = await callsAs(adminToken).sendChatMessage({
      body: { chat_id: id, content: '  Write a function\nthat adds  ', model: 'sandbox-normal' },
    });
    expect(sent.chat_updated.title).toBe('Write a function');
    expect(sent.message).toMatchObject({ status: 'completed', model: 'sandbox-normal', is_user: false });
    expect(sent.response).toBe(sent.message.content);
    const { rows } = await gateway.pool.query(
      'SELECT prompt_tokens + completion_tokens AS tokens, client_request_id FROM request_logs WHERE id = $1',
      [sent.message.request_id],
    );
    expect(rows).toEqual([{ tokens: sent.message.tokens_used, client_request_id: sent.message.id }]);
    expect(sent.chat_updated.total_tokens_used).toBe(rows[0].tokens);
    const { messages } = await readChat(id);
    expect(messages.map(({ is_user, content }) => [is_user, content])).toEqual([
      [true, 'Write a function\nthat adds'],
      [false, sent.response],
    ]);
  });

  it('sendChatMessage streams deltas that add up to the stored answer', async () => {
    const id = await newChat();
    const response = await stream(id, 'sandbox-normal');
    expect(response.headers.get('content-type')).toMatch('text/event-stream');
    const events = await readEvents(response);
    const last = events.at(-1);
    expect(last?.event).toBe('done');
    const text = events.filter(({ event }) => event === 'delta').map(({ data }) => data.text);
    expect(text.join('')).toBe(last?.data.response);
    expect((await readChat(id)).messages[1]?.content).toBe(last?.data.response);
  });

  it('sendChatMessage continues after the client disconnects, and getChat returns the partial answer', async () => {
    const id = await newChat();
    const leaving = new AbortController();
    const response = await stream(id, 'sandbox-slow:tokens=200', leaving.signal);
    await response.body?.getReader().read();
    leaving.abort();
    await untilChat(id, ({ messages }) => messages[1]?.status === 'pending' && messages[1].content !== '');
    const early = (await readChat(id)).messages[1]?.content ?? '';
    await untilChat(id, ({ messages }) => (messages[1]?.content.length ?? 0) > early.length);
    expect((await readChat(id)).messages[1]?.content.startsWith(early)).toBe(true);
    await callsAs(adminToken).stopChat({ params: { id } });
  });

  it('stopChat ends the stream before the provider finishes, keeps the partial text and charges the reported usage', async () => {
    const id = await newChat();
    const response = await stream(id, 'sandbox-slow:tokens=200');
    const reading = readEvents(response);
    await untilChat(id, ({ messages }) => (messages[1]?.content ?? '') !== '');
    await callsAs(adminToken).stopChat({ params: { id } });
    const events = await reading;
    const { message, response: text } = events.at(-1)?.data ?? {};
    expect(message).toMatchObject({ status: 'stopped', content: text, tokens_used: null });
    const shown = events.filter(({ event }) => event === 'delta').map(({ data }) => data.text);
    expect(shown.join('')).toBe(text);
    await untilChat(id, ({ messages }) => messages[1]?.tokens_used !== null);
    expect((await readChat(id)).messages[1]).toMatchObject({ status: 'stopped', content: text });
    const { rows } = await gateway.pool.query(
      'SELECT status, usage_source, completion_tokens FROM request_logs WHERE id = $1',
      [message.request_id],
    );
    expect(rows).toEqual([{ status: 'client_closed', usage_source: 'provider', completion_tokens: 200 }]);
  });

  it('sendChatMessage accepts one message at a time', async () => {
    const id = await newChat();
    const response = await stream(id, 'sandbox-slow:tokens=200');
    const second = callsAs(adminToken).sendChatMessage({ body: { chat_id: id, content: 'And?' } });
    await expect(second).rejects.toMatchObject({ status: 409 });
    await callsAs(adminToken).stopChat({ params: { id } });
    await response.text();
  });

  it('sendChatMessage sends one request per idempotency key and replays the stored answer', async () => {
    const id = await newChat();
    const body = { chat_id: id, content: 'Hello', model: 'sandbox-normal' };
    const idempotencyKey = 'once';
    const first = await callsAs(adminToken).sendChatMessage({ body }, { idempotencyKey });
    expect(await callsAs(adminToken).sendChatMessage({ body }, { idempotencyKey })).toEqual(first);
    expect((await readChat(id)).messages).toHaveLength(2);
    const events = await fetch(`${gateway.origin}/api/v1/chats/send`, {
      method: 'POST',
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${adminToken}`,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
      },
      body: JSON.stringify(body),
    });
    expect(await events.text()).toContain(JSON.stringify({ text: first.response }));
    const refused = { ...body, content: 'Who?', model: 'no-such-model' };
    const ask = () => callsAs(adminToken).sendChatMessage({ body: refused }, { idempotencyKey: 'refused' });
    await expect(ask()).rejects.toMatchObject({ status: 404 });
    await expect(ask()).rejects.toMatchObject({ status: 409, message: expect.stringContaining('rejected') });
  });

  it('sendChatMessage removes the messages if the request is rejected before any text', async () => {
    const id = await newChat();
    const response = await stream(id, 'no-such-model');
    expect(response.status).toBe(404);
    expect((await readChat(id)).messages).toEqual([]);
    const failed = callsAs(adminToken).sendChatMessage({
      body: { chat_id: id, content: 'Hello', model: 'sandbox-error-500' },
    });
    await expect(failed).rejects.toMatchObject({ status: expect.toSatisfy((status) => status >= 500) });
    expect((await readChat(id)).messages).toEqual([]);
  });

  it('sendChatMessage keeps the partial text of an interrupted answer', async () => {
    const id = await newChat();
    const events = await readEvents(await stream(id, 'sandbox-stream-error'));
    expect(events.at(-1)).toMatchObject({ event: 'error', data: { detail: expect.any(String) } });
    const text = events.filter(({ event }) => event === 'delta').map(({ data }) => data.text);
    expect((await readChat(id)).messages[1]).toMatchObject({ status: 'failed', content: text.join('') });
  });

  it('sendChatMessage keeps an answer without text as failed, with the reason and its cost', async () => {
    const id = await newChat();
    const events = await readEvents(await stream(id, 'sandbox-blocked'));
    expect(events.map(({ event }) => event)).toEqual(['done']);
    expect((await readChat(id)).messages[1]).toMatchObject({
      status: 'failed',
      content: '',
      error_message: expect.stringContaining('content filter blocked the answer'),
      tokens_used: expect.any(Number),
    });
  });

  it("sendChatMessage stores the model's refusal as the text of the answer", async () => {
    const id = await newChat();
    const { response, message } = await callsAs(adminToken).sendChatMessage({
      body: { chat_id: id, content: 'Hello', model: 'sandbox-refusal' },
    });
    expect(response).toBe('I cannot help with that.');
    expect(message.error_message).toBeNull();
  });

  it('sendChatMessage reports that an answer was cut off at the output limit', async () => {
    await gateway.pool.query('UPDATE tenants SET max_output_tokens = 16 WHERE id = 1');
    const id = await newChat();
    const send = async () => {
      const { message } = await callsAs(adminToken).sendChatMessage({
        body: { chat_id: id, content: 'Write a long function', model: 'sandbox-normal' },
      });
      return [message.status, message.error_message];
    };
    await expect
      .poll(send, { timeout: 15_000 })
      .toEqual(['completed', 'This answer was cut off at the limit of output tokens.']);
    await gateway.pool.query('UPDATE tenants SET max_output_tokens = NULL WHERE id = 1');
  });

  it('a chat answer of a dead node is ended with the text written so far', async () => {
    const id = await newChat();
    const answerId = crypto.randomUUID();
    await gateway.pool.query(
      `INSERT INTO chat_messages (id, tenant_id, chat_id, is_user, content, status, written_at)
       VALUES ($1, 1, $2, false, 'Half of', 'pending', now() - interval '1 minute')`,
      [answerId, id],
    );
    const system = createSystemDatabase(gateway.pool);
    const job = createEndLostChatAnswers(postgresRequestLog);
    // The gateway's own run of this job may hold the lock.
    await expect.poll(() => runAlone(system, job, createLogger('silent'))).toBe(true);
    expect((await readChat(id)).messages).toMatchObject([{ content: 'Half of', status: 'failed' }]);
  });

  it('archiveChat removes the chat from the list, and getChat returns 404', async () => {
    const id = await newChat();
    const calls = callsAs(adminToken);
    expect((await calls.listChats({ query: {} })).map((chat) => chat.id)).toContain(id);
    await calls.archiveChat({ params: { id } });
    expect((await calls.listChats({ query: {} })).map((chat) => chat.id)).not.toContain(id);
    await expect(readChat(id)).rejects.toMatchObject({ status: 404 });
  });
});

describe('the chat of a task', () => {
  it('openTaskChat creates one chat for concurrent calls', async () => {
    const taskId = await addTask(memberId, 50_000);
    const calls = callsAs(memberToken);
    const opened = await Promise.all(
      Array.from({ length: 8 }, () => calls.openTaskChat({ params: { id: taskId } })),
    );
    expect(new Set(opened.map(({ id }) => id)).size).toBe(1);
    expect(opened[0]).toMatchObject({ task_id: taskId, task_title: 'Retry helper' });
    expect(await calls.listChats({ query: { task_id: taskId } })).toHaveLength(1);
  });

  it('getChatTaskContext returns the task and its remaining tokens to its user only', async () => {
    const taskId = await addTask(memberId, 50_000);
    expect(await callsAs(memberToken).getChatTaskContext({ params: { id: taskId } })).toEqual({
      title: 'Retry helper',
      description: 'Make calls retry safely',
      category: 'coding',
      token_limit: 50_000,
      remaining_tokens: 50_000,
    });
    const ofOther = callsAs(adminToken).getChatTaskContext({ params: { id: taskId } });
    await expect(ofOther).rejects.toMatchObject({ status: 404 });
  });

  it('createChat requires a task unless the caller is an administrator', async () => {
    await expect(newChat(memberToken)).rejects.toMatchObject({ status: 422, message: noChatTask });
  });

  it.each([
    { tasks: [], expected: null },
    { tasks: ['only'], expected: 'only' },
    { tasks: ['one', 'other'], expected: null },
    { tasks: ['one', 'api-access', 'other'], expected: 'api-access' },
  ])('createChat without a task and the log agree on its task, given $tasks', async ({ tasks, expected }) => {
    const email = `default-${tasks.length}@chats.test`;
    const userId = await addMember(email);
    await gateway.pool.query(
      `UPDATE users SET role_id = (SELECT id FROM roles WHERE name = 'admin') WHERE id = $1`,
      [userId],
    );
    const ids = new Map<string, number>();
    for (const task of tasks) {
      const id = await addTask(userId, null);
      ids.set(task, id);
      if (task === 'api-access')
        await gateway.pool.query('UPDATE tasks SET is_dummy_task = true, user_id = $2 WHERE id = $1', [
          id,
          userId,
        ]);
    }
    const calls = callsAs(await signIn(email));
    const chat = await calls.createChat({ body: {} });
    expect(chat.task_id).toBe(expected === null ? null : ids.get(expected));
    await calls.sendChatMessage({ body: { chat_id: chat.id, content: 'Hello', model: 'sandbox-normal' } });
    const { rows } = await gateway.pool.query('SELECT task_id FROM request_logs WHERE user_id = $1', [
      userId,
    ]);
    expect(rows).toEqual([{ task_id: chat.task_id }]);
  });

  it("getChat and sendChatMessage return 404 for another user's chat", async () => {
    const id = await newChat();
    await expect(readChat(id, memberToken)).rejects.toMatchObject({ status: 404 });
    const sent = callsAs(memberToken).sendChatMessage({ body: { chat_id: id, content: 'Hello' } });
    await expect(sent).rejects.toMatchObject({ status: 404 });
  });
});

describe('finding chats', () => {
  const say = async (id: string, content: string) =>
    callsAs(adminToken).sendChatMessage({ body: { chat_id: id, content, model: 'sandbox-normal' } });

  it('listChats searches titles and messages, ignoring case, and returns whole words around the match', async () => {
    const id = await newChat();
    await say(id, 'Plan the harbor');
    await say(id, `${'Long before. '.repeat(20)}How deep is the LOCK of 100%_safe\\ships?`);
    const calls = callsAs(adminToken);
    const find = async (search: string) =>
      (await calls.listChats({ query: { search } })).filter((chat) => chat.id === id);
    expect(await find('plan THE')).toEqual([expect.objectContaining({ excerpt: 'Plan the harbor' })]);
    const [found] = await find('lock of 100%_safe\\s');
    expect(found?.excerpt).toBe('…is the LOCK of 100%_safe\\ships?');
    for (const search of ['100_', 'LOCK%ships', 'no such text']) expect(await find(search)).toEqual([]);
    await calls.updateChat({ params: { id }, body: { title: 'Canals' } });
    expect(await find('CANALS')).toHaveLength(1);
  });

  it("listChats never searches other users' messages", async () => {
    await say(await newChat(), 'A word like quincunx');
    expect(await callsAs(memberToken).listChats({ query: { search: 'quincunx' } })).toEqual([]);
    expect(await callsAs(adminToken).listChats({ query: { search: 'quincunx' } })).toHaveLength(1);
  });

  it('updateChat sets a title that later messages do not change, and pinned chats are listed first', async () => {
    const calls = callsAs(adminToken);
    const [id, later] = [await newChat(), await newChat()];
    expect(
      await calls.updateChat({ params: { id }, body: { title: ' Locks ', is_pinned: true } }),
    ).toMatchObject({
      title: 'Locks',
      is_pinned: true,
    });
    await say(id, 'Another subject');
    await say(later, 'The latest chat');
    const [first, second] = await calls.listChats({ query: {} });
    expect([first?.title, second?.id]).toEqual(['Locks', later]);
    await calls.updateChat({ params: { id }, body: { is_pinned: false } });
    expect((await calls.listChats({ query: {} }))[0]?.id).toBe(later);
    const ofOther = callsAs(memberToken).updateChat({ params: { id }, body: { title: 'Mine' } });
    await expect(ofOther).rejects.toMatchObject({ status: 404 });
    for (const title of ['x'.repeat(201), 'two\nlines'])
      await expect(calls.updateChat({ params: { id }, body: { title } })).rejects.toMatchObject({
        status: 422,
      });
  });
});

describe('the chat of an ended task or a blocked user', () => {
  it.each(['completed', 'cancelled'])('openTaskChat creates no chat for a %s task', async (status) => {
    const calls = callsAs(memberToken);
    const [withChat, without] = [await addTask(memberId, null), await addTask(memberId, null)];
    const { id } = await calls.openTaskChat({ params: { id: withChat } });
    await gateway.pool.query(
      'UPDATE task_assignments SET status = $1, ended_at = now() WHERE task_id = ANY($2)',
      [status, [withChat, without]],
    );
    expect(await calls.openTaskChat({ params: { id: withChat } })).toMatchObject({ id });
    await expect(calls.openTaskChat({ params: { id: without } })).rejects.toMatchObject({ status: 409 });
    await expect(calls.createChat({ body: { task_id: without } })).rejects.toMatchObject({ status: 409 });
    expect(await calls.listChats({ query: { task_id: without } })).toEqual([]);
  });

  it('a blocked user can read chats, but openTaskChat creates none', async () => {
    const userId = await addMember('blocked@chats.test');
    const [withChat, without] = [await addTask(userId, null), await addTask(userId, null)];
    const { id } = await callsAs(await signIn('blocked@chats.test')).openTaskChat({
      params: { id: withChat },
    });
    const users = createClient(usersRoutes, {
      baseUrl: gateway.origin,
      headers: () => ({ authorization: `Bearer ${adminToken}` }),
    });
    await users.blockUser({ params: { id: userId }, query: { reason: 'test' } });
    const calls = callsAs(await signIn('blocked@chats.test'));
    expect(await calls.openTaskChat({ params: { id: withChat } })).toMatchObject({ id });
    await expect(calls.openTaskChat({ params: { id: without } })).rejects.toMatchObject({ status: 403 });
    await expect(calls.createChat({ body: { task_id: withChat } })).rejects.toMatchObject({ status: 403 });
    expect(await calls.listChats({ query: {} })).toHaveLength(1);
  });

  it('a new chat of an API access task is called General', async () => {
    const taskId = await addTask(memberId, null);
    await gateway.pool.query('UPDATE tasks SET is_dummy_task = true, user_id = $2 WHERE id = $1', [
      taskId,
      memberId,
    ]);
    expect(await callsAs(memberToken).openTaskChat({ params: { id: taskId } })).toMatchObject({
      title: 'General',
    });
  });
});
