import { expect, it } from 'vitest';
import { countByStatus } from './active-status.tsx';

it('active and inactive items add up to the total', () => {
  const items = [{ is_active: true }, { is_active: false }, { is_active: true }];
  expect(countByStatus(items)).toEqual({ total: 3, active: 2, inactive: 1 });
});
