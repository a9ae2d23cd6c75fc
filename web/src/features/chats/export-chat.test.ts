import type { ChatMessage } from '@sluice/contract';
import { expect, it } from 'vitest';
import { fileNameOf, toJson, toMarkdown } from './task-header.tsx';

const at = '2026-01-02T03:04:05.000Z';
const base = { status: 'completed', error_message: null, intent: null, request_id: null } as const;
const question: ChatMessage = {
  ...base,
  id: 'q',
  is_user: true,
  content: 'What is it?',
  created_at: at,
  model: null,
  tokens_used: null,
  cost: null,
  images: [{ id: 'i', name: 'dot.png', is_kept: true }],
  siblings: ['q'],
};
const answer: ChatMessage = {
  ...question,
  id: 'a',
  is_user: false,
  content: 'A **dot**.',
  model: 'gpt-4o',
  tokens_used: 12,
  cost: 0.5,
  images: [],
};
const chat = { title: 'What is it?', task_title: 'Dots', messages: [question, answer] };

it('toMarkdown names the author or model of each message', () => {
  expect(toMarkdown(chat)).toBe(
    `# What is it?\n\nTask: Dots\n\n## You\n\n*${at}*\n\n[Image: dot.png]\n\nWhat is it?\n\n## gpt-4o\n\n*${at}*\n\nA **dot**.\n`,
  );
});

it('toJson includes the tokens and the cost of each answer', () => {
  expect(JSON.parse(toJson(chat)).messages).toEqual([
    { role: 'user', content: 'What is it?', created_at: at, images: ['dot.png'] },
    {
      role: 'assistant',
      content: 'A **dot**.',
      created_at: at,
      model: 'gpt-4o',
      status: 'completed',
      tokens_used: 12,
      cost: 0.5,
    },
  ]);
});

it('fileNameOf derives the file name from the title', () => {
  expect(fileNameOf({ title: 'Où est / "it"?' }, 'md')).toBe('où-est-it.md');
  expect(fileNameOf({ title: '他' }, 'json')).toBe('他.json');
  expect(fileNameOf({ title: '?!' }, 'json')).toBe('chat.json');
});
