import { expect, it } from 'vitest';
import { countByStatus } from './active-status.tsx';

it('countByStatus counts all, active and inactive items', () => {
  const items = [{ is_active: true }, { is_active: false }, { is_active: true }];
  expect(countByStatus(items)).toEqual({ total: 3, active: 2, inactive: 1 });
});
