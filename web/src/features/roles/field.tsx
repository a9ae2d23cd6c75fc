import type { Role } from '@sluice/contract';
import type { ComponentProps } from 'react';
import { SelectField } from '../../components/forms/select-field.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { describeInvitedRoles, describeRoleChoices, isAdminLimitReached } from './choices.ts';
import styles from './field.module.css';
import { useRoles } from './queries.ts';

type FieldProps = Omit<ComponentProps<typeof SelectField>, 'options' | 'label'>;

interface RoleFieldProps extends FieldProps {
  /** The role that the person has when the form opens. */
  held?: Pick<Role, 'id' | 'name'> | undefined;
}

/** The choice of a role by its id, with how many administrators the plan has left. */
export function RoleField({ held, ...props }: RoleFieldProps) {
  const roles = useRoles();
  const chosen = roles?.find(({ id }) => String(id) === String(props.value));
  const options = describeRoleChoices(roles ?? [], held);
  return <RoleSelect {...props} roles={roles} chosen={chosen} options={options} />;
}

/** The same by its name, for invitations. */
export function RoleNameField(props: FieldProps) {
  const roles = useRoles();
  const chosen = roles?.find(({ name }) => name === props.value);
  return <RoleSelect {...props} roles={roles} chosen={chosen} options={describeInvitedRoles(roles ?? [])} />;
}

interface RoleSelectProps extends Omit<ComponentProps<typeof SelectField>, 'label'> {
  roles: readonly Role[] | undefined;
  chosen: Role | undefined;
}

function RoleSelect({ roles, chosen, description, ...props }: RoleSelectProps) {
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
      <div role="status" className={styles.limit}>
        {roles && isAdminLimitReached(roles) && (
          <StatusMark kind="warn">Admin limit reached. Upgrade your plan to create more admins.</StatusMark>
        )}
      </div>
    </div>
  );
}
