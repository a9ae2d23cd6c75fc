import type { Role } from '@sluice/contract';
import type { ComponentProps } from 'react';
import { SelectField } from '../../components/forms/select-field.tsx';
import { describeInvitedRoles, describeRoleChoices } from './choices.ts';
import { LimitNotice } from './limit-notice.tsx';
import { useRoles } from './queries.ts';

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
