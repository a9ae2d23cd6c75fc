import { authRoutes, chatsRoutes, createClient, logsRoutes } from '@sluice/contract';

const turn = `## Retries

Wait **longer** after each *failure*, and stop at some point; see \`retry.ts\`.

- the first wait is short
- each next one is twice as long

| try | wait |
|---|---|
| 1 | 250 ms |
| 2 | 500 ms |

\`\`\`ts
export async function retry<Result>(work: () => Promise<Result>, tries = 3): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= tries) throw error; // the caller decides
    }
  }
}
\`\`\``;

interface Access {
  readonly origin: string;
  readonly email: string;
  readonly password: string;
}

export async function signIn({ origin: baseUrl, email, password }: Access) {
  const auth = createClient(authRoutes, { baseUrl, headers: () => ({}) });
  const { access_token: token } = await auth.login({ form: { username: email, password } });
  const headers = () => ({ authorization: `Bearer ${token}` });
  const chats = createClient(chatsRoutes, { baseUrl, headers });
  const logs = createClient(logsRoutes, { baseUrl, headers });
  return { token, chats, logs };
}

export type Session = Awaited<ReturnType<typeof signIn>>;

/** The model echoes each turn. */
export async function fillChat({ chats }: Session, turns: number): Promise<string> {
  const { id } = await chats.createChat({ body: {} });
  for (let count = 0; count < turns; count += 1)
    await chats.sendChatMessage({ body: { chat_id: id, content: turn, model: 'sandbox-echo' } });
  return id;
}

export async function readStopped({ chats, logs }: Session, chatId: string) {
  const { messages } = await chats.getChat({ params: { id: chatId } });
  const last = messages.at(-1);
  if (!last?.request_id) throw new Error('the stopped answer has no request');
  const log = await logs.getLog({ params: { id: last.request_id } });
  return {
    endedAtMs: Date.parse(log.timestamp) + log.response_time_ms,
    billedTokens: log.completion_tokens,
    shownTokens: last.content.split(/(?= )|(?=[.,;])/).filter(Boolean).length,
    status: last.status,
  };
}
