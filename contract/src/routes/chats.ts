import { z } from 'zod';
import { id, idParams, instant, requestId } from '../ids.ts';
import { usd } from '../money.ts';
import { isPlainLine, notPlainLine } from '../plain-line.ts';
import { defineRoutes } from '../route.ts';

export const chatMessageStatuses = ['pending', 'completed', 'stopped', 'failed'] as const;

export const chatContentMax = 200_000;

/** What a message may show of pictures. A request holds at most `totalMaxBytes` of them, those of former messages among them. */
export const chatImageLimits = { countMax: 4, maxBytes: 4_000_000, totalMaxBytes: 6_000_000 } as const;

export const chatImageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;

/** How long base64 of so many bytes is. */
const base64Length = (bytes: number) => Math.ceil(bytes / 3) * 4;

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

/** A picture of a message; `is_kept` is false where the organisation does not keep prompts in full. */
export const chatImage = z.object({ id: z.uuid(), name: z.string(), is_kept: z.boolean() });

export type ChatImage = z.infer<typeof chatImage>;

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
  images: z.array(chatImage),
  /** The messages that stand in each other's place, itself among them, the oldest first: edited questions, repeated answers. */
  siblings: z.array(z.uuid()),
});

export type ChatMessage = z.infer<typeof chatMessage>;

/** The messages of the branch that is chosen, in order. */
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

/** The chat's last one unless given, at first the first that the person may use. */
const askedModel = z.string().trim().min(1).max(200, 'A model has at most 200 characters').optional();

export const sendChatMessageBody = z.strictObject({
  chat_id: z.uuid('Please select a chat'),
  content: z
    .string('Please enter a message')
    .trim()
    .min(1, 'Please enter a message')
    .max(chatContentMax, 'A message has at most 200,000 characters'),
  model: askedModel,
  /** One of the own messages that this one is to stand beside, as another branch; its pictures go along. */
  edited_message_id: z.uuid('The edited message id names no message').optional(),
  images: z
    .array(
      z.strictObject({
        name: z
          .string()
          .trim()
          .min(1)
          .max(200, 'A name has at most 200 characters')
          .refine(isPlainLine, notPlainLine('A name')),
        media_type: z.enum(chatImageTypes, 'Pictures are PNG, JPEG, WebP or GIF'),
        /** Base64. */
        data: z.string().min(1).max(base64Length(chatImageLimits.maxBytes), 'A picture has at most 4 MB'),
      }),
    )
    .max(chatImageLimits.countMax, 'A message has at most 4 pictures')
    .default([]),
});

export type SendChatMessageBody = z.input<typeof sendChatMessageBody>;

/** `message` is the stored answer, `response` its text. */
export const sentChatMessage = z.object({
  message: chatMessage,
  response: z.string(),
  remaining_tokens: z.number().nullable(),
  chat_updated: chat.pick({ title: true, updated_at: true, total_tokens_used: true }),
});

export type SentChatMessage = z.infer<typeof sentChatMessage>;

/** An image as it was sent, in base64. */
export const chatImageContent = z.object({ media_type: z.enum(chatImageTypes), data: z.string() });

const chatParams = z.object({ id: z.uuid() });
const chatMessageParams = chatParams.extend({ messageId: z.uuid() });
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
    bodyLimitBytes: base64Length(chatImageLimits.totalMaxBytes) + 1024 * 1024,
    response: sentChatMessage,
    eventStream: true,
  },
  regenerateChatAnswer: {
    idempotent: true,
    ...asking,
    method: 'POST',
    path: '/chats/{id}/messages/{messageId}/regenerate',
    summary: 'Asks for an answer once more; both are kept, as branches. It is answered as a sent message is',
    request: { params: chatMessageParams, body: z.strictObject({ model: askedModel }) },
    response: sentChatMessage,
    eventStream: true,
  },
  chooseChatBranch: {
    ...reading,
    method: 'POST',
    path: '/chats/{id}/messages/{messageId}/choose',
    summary: 'Shows the latest branch through a message; what is sent next follows its end',
    request: { params: chatMessageParams },
    response: chatWithMessages,
  },
  getChatImage: {
    ...reading,
    method: 'GET',
    path: '/chats/{id}/images/{imageId}',
    summary: 'A picture of one of the messages, where it is kept',
    request: { params: chatParams.extend({ imageId: z.uuid() }) },
    response: chatImageContent,
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
