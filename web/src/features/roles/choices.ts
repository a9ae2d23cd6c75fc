import type { Role } from '@sluice/contract';
import type { SelectOption } from '../../components/forms/select-field.tsx';
import { formatLabel } from '../../lib/format-label.ts';

/** Choices by the role's name, as an invitation names it; what cannot be given says why. */
export function describeInvitedRoles(roles: readonly Role[]): readonly SelectOption[] {
  return roles.map((role) => ({
    value: role.name,
    label: isAdminLimitReached([role]) ? `${labelOf(role)} (Limit reached)` : labelOf(role),
    isDisabled: !role.can_assign,
    note: role.can_assign || isAdminLimitReached([role]) ? undefined : 'Not permitted',
  }));
}

/** What a role field offers; the role that somebody has can be kept even where it could not be given. */
export function describeRoleChoices(
  roles: readonly Role[],
  held?: Pick<Role, 'id' | 'name'>,
): readonly SelectOption[] {
  const choices = roles.map((role) => {
    const isDisabled = !role.can_assign && role.id !== held?.id;
    const obstacle = isAdminLimitReached([role]) ? 'Limit reached' : 'Not permitted';
    return { value: role.id, label: labelOf(role), isDisabled, note: isDisabled ? obstacle : undefined };
  });
  const isHeldListed = held === undefined || roles.some(({ id }) => id === held.id);
  return isHeldListed
    ? choices
    : [...choices, { value: held.id, label: formatLabel(held.name), isDisabled: false }];
}

/** Whether the plan has no seat left for one more administrator. */
export function isAdminLimitReached(roles: readonly Role[]): boolean {
  return roles.some(
    ({ name, current_count: current, max_allowed: max }) =>
      name === 'admin' && typeof max === 'number' && current !== undefined && current >= max,
  );
}

/** `User`, and of the role that a plan may cap how many there are of how many: `Admin (2/3)`. */
function labelOf({ name, current_count: current, max_allowed: max }: Role): string {
  const label = formatLabel(name);
  return current === undefined || typeof max !== 'number' ? label : `${label} (${current}/${max})`;
}
