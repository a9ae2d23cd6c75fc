import { z } from 'zod';
import { id, idParams, instant, requestId } from '../ids.ts';
import { usd } from '../money.ts';
import { defineRoutes } from '../route.ts';

export const chatMessageStatuses = ['pending', 'completed', 'stopped', 'failed'] as const;

export const chatContentMax = 200_000;

/** Whoever is no administrator works for a task in a chat, too. */
export const noChatTask = 'No task specified. Please select a task to start chatting.';

export const chat = z.object({
  id: z.uuid(),
  /** Made of its first message; empty before. */
  title: z.string(),
  updated_at: instant,
  task_id: z.number().int().nullable(),
  task_title: z.string().nullable(),
  total_tokens_used: z.number().int(),
});

export type Chat = z.infer<typeof chat>;

/** `pending`: the answer is being written, and `content` is what has come. Tokens and cost are those of its log row. */
export const chatMessage = z.object({
  id: z.uuid(),
  is_user: z.boolean(),
  content: z.string(),
  created_at: instant,
  status: z.enum(chatMessageStatuses),
  error_message: z.string().nullable(),
  /** `null` on what the person wrote. */
  model: z.string().nullable(),
  tokens_used: z.number().int().nullable(),
  cost: usd.nullable(),
  intent: z.string().nullable(),
  request_id: requestId.nullable(),
});

export type ChatMessage = z.infer<typeof chatMessage>;

export const chatWithMessages = chat.extend({ messages: z.array(chatMessage) });

export type ChatWithMessages = z.infer<typeof chatWithMessages>;

/** `token_limit` and `remaining_tokens` are `null` where the task has no limit. */
export const chatTaskContext = z.object({
  title: z.string(),
  description: z.string(),
  category: z.string(),
  token_limit: z.number().nullable(),
  remaining_tokens: z.number().nullable(),
});

export type ChatTaskContext = z.infer<typeof chatTaskContext>;

export const sendChatMessageBody = z.strictObject({
  chat_id: z.uuid('Please select a chat'),
  content: z
    .string('Please enter a message')
    .trim()
    .min(1, 'Please enter a message')
    .max(chatContentMax, 'A message has at most 200,000 characters'),
  /** The chat's last one unless given, at first the first that the person may use. */
  model: z.string().trim().min(1).max(200, 'A model has at most 200 characters').optional(),
});

/** `message` is the stored answer, `response` its text. */
export const sentChatMessage = z.object({
  message: chatMessage,
  response: z.string(),
  remaining_tokens: z.number().nullable(),
  chat_updated: chat.pick({ title: true, updated_at: true, total_tokens_used: true }),
});

export type SentChatMessage = z.infer<typeof sentChatMessage>;

const chatParams = z.object({ id: z.uuid() });
const reading = { surface: 'management', permission: 'account.read' } as const;
const asking = { surface: 'management', permission: 'completions.create', inOwnTenant: true } as const;

export const chatsRoutes = defineRoutes({
  createChat: {
    idempotent: true,
    ...asking,
    method: 'POST',
    path: '/chats/new',
    summary: 'Begins a chat for one of the own tasks; administrators may have none',
    request: { body: z.strictObject({ task_id: id.nullish() }) },
    response: chat,
    status: 201,
  },
  listChats: {
    ...reading,
    method: 'GET',
    path: '/chats',
    summary: "The caller's chats that are not archived, the latest first",
    request: { query: z.strictObject({ task_id: id.optional() }) },
    response: z.array(chat),
  },
  getChat: {
    ...reading,
    method: 'GET',
    path: '/chats/{id}',
    summary: 'A chat of the caller with its messages; an answer that is being written shows what has come',
    request: { params: chatParams },
    response: chatWithMessages,
  },
  sendChatMessage: {
    idempotent: true,
    ...asking,
    method: 'POST',
    path: '/chats/send',
    summary:
      'Asks the model, and answers its answer when it has ended; with `Accept: text/event-stream` as it comes: `delta {text}`, then `done` or `error {detail, code}`',
    request: { body: sendChatMessageBody },
    response: sentChatMessage,
    eventStream: true,
  },
  stopChat: {
    ...reading,
    method: 'POST',
    path: '/chats/{id}/stop',
    summary: 'Ends the answer that is being written; what has come is kept, and paid',
    request: { params: chatParams },
    response: z.undefined(),
    status: 204,
  },
  archiveChat: {
    ...reading,
    method: 'DELETE',
    path: '/chats/{id}',
    summary: 'Archives a chat of the caller: it is in no list any more',
    request: { params: chatParams },
    response: z.undefined(),
    status: 204,
  },
  getChatTaskContext: {
    ...reading,
    method: 'GET',
    path: '/chats/task/{id}/context',
    summary: 'One of the own tasks, as a chat shows it',
    request: { params: idParams },
    response: chatTaskContext,
  },
  openTaskChat: {
    ...reading,
    method: 'GET',
    path: '/chats/task/{id}',
    summary: "The caller's latest chat for one of their tasks; it is made where there is none",
    request: { params: idParams },
    response: chat,
  },
});
