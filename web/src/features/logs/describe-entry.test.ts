import type { LogEntry } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import {
  describeIntent,
  describeMissingText,
  describeScoreChange,
  describeTask,
  describeTokens,
  describeUser,
  previewPrompt,
} from './describe-entry.ts';

const request = (fields: Partial<LogEntry>): LogEntry => ({
  id: '019a0000-0000-7000-8000-000000000001',
  timestamp: '2026-11-20T10:42:18Z',
  user_id: 7,
  user_name: 'Jonas Weber',
  user_email: 'jonas@northwind.dev',
  task_id: null,
  task_title: null,
  labels: null,
  prompt: 'Hello',
  response: 'Hi',
  prompt_privacy: 'full',
  model_requested: 'sandbox-normal',
  model: 'sandbox-normal',
  downgraded_by_budget_id: null,
  status: 'success',
  http_status: 200,
  error_code: null,
  error_message: null,
  response_time_ms: 12,
  first_byte_ms: 4,
  prompt_tokens: 1284,
  completion_tokens: 412,
  openai_tokens_used: 1696,
  cache_read_tokens: 0,
  reasoning_tokens: 0,
  cost_parts: null,
  usage_source: 'provider',
  is_stream: false,
  provider_key: 'sandbox',
  provider_instance_name: 'sandbox',
  provider_calls: null,
  api_key_name: 'default',
  client_request_id: null,
  intent_classification: null,
  corrected_intent: null,
  confidence_score: null,
  user_score_before: null,
  user_score_after: null,
  deviation_score_delta: null,
  cost: null,
  repeats: 1,
  deviation_receipts: null,
  ...fields,
});

describe('previewPrompt', () => {
  it('previewPrompt truncates to 50 characters and an ellipsis, never inside a character', () => {
    expect(previewPrompt('a'.repeat(50))).toBe('a'.repeat(50));
    expect(previewPrompt('😀'.repeat(51))).toBe(`${'😀'.repeat(50)}…`);
  });
});

describe('describing a log entry', () => {
  it('describeUser returns the name of a user, or the number of a deleted user', () => {
    expect(describeUser(request({}))).toBe('Jonas Weber');
    expect(describeUser(request({ user_name: null }))).toBe('User #7');
  });

  it('describeTokens formats prompt, completion and total', () => {
    expect(describeTokens(request({}))).toBe('1,284 to 412 (1,696 total)');
  });

  it('describeIntent returns the intent with one decimal of confidence, or Not classified', () => {
    expect(describeIntent(request({ intent_classification: 'coding', confidence_score: 0.9 }))).toBe(
      'Coding (90.0%)',
    );
    expect(describeIntent(request({}))).toBe('Not classified');
  });

  it('describeTask returns the title, or the number of a deleted task', () => {
    expect(describeTask(request({ task_id: 1, task_title: 'Payments retry' }))).toBe('Payments retry');
    expect(describeTask(request({ task_id: 1 }))).toBe('#1');
    expect(describeTask(request({}))).toBe('No Task');
  });

  it('describeScoreChange rounds scores so that they add up, and reports an unchanged score', () => {
    const scores = { user_score_before: 0.4204, user_score_after: 0.5316, deviation_score_delta: 0.1112 };
    expect(describeScoreChange(request(scores))).toBe('0.420 to 0.532 (+0.112)');
    expect(describeScoreChange(request({}))).toBe('No change');
  });
});

describe('describeMissingText', () => {
  it.each([
    ['full', 'Not recorded'],
    ['redacted', 'Not recorded'],
    ['metadata', 'Not stored: this organization stores usage figures only'],
    [null, 'Deleted by the retention policy'],
  ] as const)('describeMissingText explains the privacy mode %s', (prompt_privacy, text) => {
    expect(describeMissingText(request({ prompt: null, prompt_privacy }))).toBe(text);
  });
});
