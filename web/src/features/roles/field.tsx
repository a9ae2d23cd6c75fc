import { type Role, rolesRoutes, userRole } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ComponentProps, useEffect } from 'react';
import { SelectField } from '../../components/forms/select-field.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { createApiClient } from '../../lib/api.ts';
import { logFailure } from '../../lib/log-failure.ts';
import {
  describeInvitedRoles,
  describeRoleChoices,
  listReachedLimits,
  type ReachedLimit,
} from './choices.ts';
import styles from './limit-notice.module.css';

const calls = createApiClient(rolesRoutes);

/** Roles, refetched for each form; only `user` if that fails; `undefined` while loading. */
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
  /** Current role of the user. */
  held?: Pick<Role, 'id' | 'name'> | undefined;
}

/** Role field with ids as values. */
export function RoleField({ held, ...props }: RoleFieldProps) {
  const roles = useRoles();
  const chosen = roles?.find(({ id }) => String(id) === String(props.value));
  const options = describeRoleChoices(roles ?? [], held);
  return <RoleSelect {...props} roles={roles} chosen={chosen} held={held} options={options} />;
}

/** Role field with names as values, for invitations. */
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

/** Notice about reached role limits: usage, plan, and who can raise them. */
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
  if (kind === 'ask') return 'Deactivate somebody, or ask a super administrator to raise the limit.';
  return (
    <>
      Deactivate somebody, or{' '}
      <Link to="/admin/tenant-credits">
        {kind === 'set' ? 'change the limit under Tenant Credits' : 'upgrade the plan under Tenant Credits'}
      </Link>
      .
    </>
  );
}
