import type { Role } from '@sluice/contract';
import type { ComponentProps } from 'react';
import { SelectField } from '../../components/forms/select-field.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { describeRoleChoices, isAdminLimitReached } from './role-choices.ts';
import styles from './role-field.module.css';
import { useRoles } from './roles-query.ts';

interface RoleFieldProps extends Omit<ComponentProps<typeof SelectField>, 'options' | 'label'> {
  /** The role that the person has when the form opens. */
  held?: Pick<Role, 'id' | 'name'> | undefined;
}

/** The choice of a role, with how many administrators the plan has left. */
export function RoleField({ held, description, ...props }: RoleFieldProps) {
  const roles = useRoles();
  const chosen = roles?.find(({ id }) => String(id) === String(props.value));
  return (
    <div>
      <SelectField
        label="Role"
        placeholder="Select a role"
        loadingText="Loading roles..."
        isLoading={roles === undefined}
        options={describeRoleChoices(roles ?? [], held)}
        description={description ?? chosen?.description}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
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
