import { governanceRoutes } from '@sluice/contract';
import { Form } from '#components/forms/form.tsx';
import { TextAreaField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { useAppeal } from './queries.ts';

const messageMax = 2_000;

export function AppealForm() {
  const form = useContractForm({
    schema: governanceRoutes.createAppeal.request.body,
    initialValues: { message: '' },
  });
  const { mutateAsync: appeal } = useAppeal();
  return (
    <Form
      form={form}
      submitLabel="Appeal"
      pendingLabel="Sending..."
      fallbackProblem="Your appeal was not sent: the gateway cannot be reached"
      needsChange
      onSubmit={(body) => appeal({ body })}
    >
      <TextAreaField
        label="Appeal against the block"
        placeholder="What were you working on?"
        characterLimit={messageMax}
        {...form.bind('message')}
      />
    </Form>
  );
}
