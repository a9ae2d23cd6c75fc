interface Switched {
  readonly is_active: boolean;
}

export type ActiveStatus = 'active' | 'inactive';

export const statusOf = ({ is_active }: Switched): ActiveStatus => (is_active ? 'active' : 'inactive');

export function countByStatus(items: readonly Switched[]) {
  const active = items.filter(({ is_active }) => is_active).length;
  return { total: items.length, active, inactive: items.length - active };
}
