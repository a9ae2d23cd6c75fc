import { type Role, rolesRoutes, userRole } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ComponentProps, useEffect } from 'react';
import { SelectField, type SelectOption } from '#components/forms/select-field.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { createApiClient } from '#lib/api.ts';
import { logFailure } from '#lib/describe-failure.ts';
import { formatLabel } from '#lib/format-label.ts';
import styles from './limit-notice.module.css';

const calls = createApiClient(rolesRoutes);

/** `undefined` while loading. Each form refetches the roles. After a failure, only `user` is returned. */
function useRoles(): readonly Role[] | undefined {
  const { data, error } = useQuery({
    queryKey: ['roles'],
    queryFn: ({ signal }) => calls.listRoles(undefined, { signal }),
    gcTime: 0,
  });
  useEffect(() => {
    if (error) logFailure('The roles could not be loaded', error);
  }, [error]);
  return data ?? (error ? [userRole] : undefined);
}

type FieldProps = Omit<ComponentProps<typeof SelectField>, 'options' | 'label'>;

interface RoleFieldProps extends FieldProps {
  held?: Pick<Role, 'id' | 'name'> | undefined;
}

export function RoleField({ held, ...props }: RoleFieldProps) {
  const roles = useRoles();
  const chosen = roles?.find(({ id }) => String(id) === String(props.value));
  const options = describeRoleChoices(roles ?? [], held);
  return <RoleSelect {...props} roles={roles} chosen={chosen} held={held} options={options} />;
}

/** Values are role names, for invitations. */
export function RoleNameField(props: FieldProps) {
  const roles = useRoles();
  const chosen = roles?.find(({ name }) => name === props.value);
  return <RoleSelect {...props} roles={roles} chosen={chosen} options={describeInvitedRoles(roles ?? [])} />;
}

interface RoleSelectProps extends Omit<ComponentProps<typeof SelectField>, 'label'> {
  roles: readonly Role[] | undefined;
  chosen: Role | undefined;
  held?: RoleFieldProps['held'];
}

function RoleSelect({ roles, chosen, held, description, ...props }: RoleSelectProps) {
  return (
    <div>
      <SelectField
        label="Role"
        placeholder="Select a role"
        loadingText="Loading roles..."
        isLoading={roles === undefined}
        description={description ?? chosen?.description}
        {...props}
      />
      <LimitNotice roles={roles ?? []} held={held} />
    </div>
  );
}

interface LimitNoticeProps {
  roles: readonly Role[];
  held: Pick<Role, 'id' | 'name'> | undefined;
}

/** Shows usage, plan, and who can raise a limit. */
function LimitNotice({ roles, held }: LimitNoticeProps) {
  return (
    <div role="status" className={styles.limits}>
      {listReachedLimits(roles, held).map(({ role, title, figures, remedy }) => (
        <div key={role}>
          <StatusMark kind="warn">{title}</StatusMark>
          <p className={styles.figures}>
            {figures} <Remedy kind={remedy} />
          </p>
        </div>
      ))}
    </div>
  );
}

function Remedy({ kind }: { kind: ReachedLimit['remedy'] }) {
  if (kind === 'ask') return 'Deactivate a user, or ask a super administrator to raise the limit.';
  return (
    <>
      Deactivate a user, or{' '}
      <Link to="/admin/tenant-credits">
        {kind === 'set' ? 'change the limit under Tenant Credits' : 'upgrade the plan under Tenant Credits'}
      </Link>
      .
    </>
  );
}

/** Values are role names, for invitations. Disabled options state the reason. */
export function describeInvitedRoles(roles: readonly Role[]): readonly SelectOption[] {
  return roles.map((role) => ({
    value: role.name,
    label: isLimitReached(role) ? `${labelOf(role)} (Limit reached)` : labelOf(role),
    isDisabled: !role.can_assign,
    note: role.can_assign || isLimitReached(role) ? undefined : 'Not permitted',
  }));
}

/** The current role is always included, even if it can no longer be assigned. */
export function describeRoleChoices(
  roles: readonly Role[],
  held?: Pick<Role, 'id' | 'name'>,
): readonly SelectOption[] {
  const choices = roles.map((role) => {
    const isDisabled = !role.can_assign && role.id !== held?.id;
    const obstacle = isLimitReached(role) ? 'Limit reached' : 'Not permitted';
    return { value: role.id, label: labelOf(role), isDisabled, note: isDisabled ? obstacle : undefined };
  });
  const isHeldListed = held === undefined || roles.some(({ id }) => id === held.id);
  return isHeldListed
    ? choices
    : [...choices, { value: held.id, label: formatLabel(held.name), isDisabled: false }];
}

/** True if the tenant has the maximum number of active users with the role. */
export function isLimitReached({ limit }: Pick<Role, 'limit'>): boolean {
  return limit !== undefined && limit.taken >= limit.allowed;
}

/** Names the blocked action, the usage, and who can raise the limit. */
interface ReachedLimit {
  readonly role: Role['name'];
  readonly title: string;
  readonly figures: string;
  readonly remedy: 'upgrade' | 'ask' | 'set';
}

/**
 * The administrator limit is always included (specification 1). Limits of other roles are omitted for users who have
 * the role.
 */
export function listReachedLimits(
  roles: readonly Role[],
  held?: Pick<Role, 'id' | 'name'>,
): readonly ReachedLimit[] {
  const isOperator = roles.some(({ name, can_assign }) => name === 'super_admin' && can_assign);
  return roles.flatMap(({ name, limit }) => {
    if (limit === undefined || !isLimitReached({ limit })) return [];
    if (name !== 'admin' && name === held?.name) return [];
    const remedy = limit.plan === null ? 'ask' : 'upgrade';
    const by = limit.plan === null ? 'of this tenant' : `on the plan ${limit.plan}`;
    return {
      role: name,
      title: `${formatLabel(name)} limit reached. Upgrade your plan to create more ${name}s.`,
      figures: `${limit.taken} of ${limit.allowed} ${name}s ${by} are in use.`,
      remedy: isOperator ? 'set' : remedy,
    } as const;
  });
}

/** Adds usage if the role is limited: `User` or `Admin (2/3)`. */
function labelOf({ name, current_count: current, max_allowed: max }: Role): string {
  const label = formatLabel(name);
  return current === undefined || typeof max !== 'number' ? label : `${label} (${current}/${max})`;
}
