import { foldName } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { SelectField } from '#components/forms/select-field.tsx';
import { type AccessOptions, accessOptionsQuery } from './queries.ts';

/** Labels are the names that a CSV file uses. */
const listers = {
  task_id: ({ tasks }: AccessOptions) => tasks.map(({ id, title }) => ({ value: id, label: title })),
  team_id: ({ teams }: AccessOptions) => teams.map(({ id, name }) => ({ value: id, label: name })),
  llm_provider_id: ({ providers }: AccessOptions) =>
    providers.map(({ id, provider_instance_name: label }) => ({ value: id, label })),
};

const fields = {
  task_id: { label: 'Task', description: undefined },
  team_id: { label: 'Team', description: 'Members may use the models of the team.' },
  llm_provider_id: { label: 'Models', description: 'All models that a provider enables.' },
};

export type AccessFieldName = keyof typeof fields;

interface AccessFieldProps {
  name: AccessFieldName;
  /** If absent, an option must be selected. */
  none?: string;
}

/** The value is an id. */
export function AccessField({ name, none, ...bound }: AccessFieldProps) {
  const { data, isPending } = useQuery(accessOptionsQuery);
  return (
    <SelectField
      {...fields[name]}
      placeholder={none ?? 'Select'}
      options={data ? listers[name](data) : []}
      isLoading={isPending}
      {...bound}
    />
  );
}

/** Ignores case. Returns `undefined` if no name matches. */
export function findAccessId(
  name: AccessFieldName,
  text: string,
  options: AccessOptions,
): number | undefined {
  const wanted = foldName(text);
  return listers[name](options).find(({ label }) => foldName(label) === wanted)?.value;
}
