import { errorCodes } from '@sluice/contract';
import { expect, it } from 'vitest';
import { describeRequestReason, describeRequestStatus } from './status-mark.tsx';

it.each(Object.keys(errorCodes))('describeRequestReason(%s) returns words instead of the code', (code) => {
  expect(describeRequestReason({ status: 'refused', error_code: code, repeats: 1 })).not.toContain('_');
});

it.each([
  ['refused', 'model_blacklisted', 1, 'Refused · Model blacklisted'],
  ['refused', 'model_blacklisted', 1_200, 'Refused · Model blacklisted · 1,200 times'],
  ['error', 'upstream_timeout', 1, 'Error · Upstream timeout'],
  ['client_closed', 'client_closed', 1, 'Client closed'],
  ['success', null, 1, 'Success'],
] as const)('describeRequestStatus(%s, %s, %d) returns %s', (status, error_code, repeats, text) => {
  expect(describeRequestStatus({ status, error_code, repeats })).toBe(text);
});
