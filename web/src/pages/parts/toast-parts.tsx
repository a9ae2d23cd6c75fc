import { Button } from '@mantine/core';
import { showError, showLoading, showMessage, showSuccess } from '../../components/ui/toasts.tsx';
import { Part, PartGroup } from './part.tsx';

const outcomeMs = 3000;

export function ToastParts() {
  const load = (end: 'succeed' | 'fail') => {
    const loading = showLoading('Testing connection...');
    setTimeout(() => loading[end](end === 'succeed' ? 'Connection works' : 'Connection refused'), outcomeMs);
  };
  const showMany = () => {
    for (let count = 1; count <= 25; count++) showMessage(`Message ${count}`);
  };
  return (
    <PartGroup title="Toasts">
      <Part name="One each">
        <Button variant="default" onClick={() => showMessage('The export is on its way')}>
          Message
        </Button>
        <Button variant="default" onClick={() => showSuccess('API key copied to clipboard!')}>
          Success
        </Button>
        <Button variant="default" onClick={() => showError('Failed to update team status')}>
          Error
        </Button>
        <Button variant="default" onClick={() => load('succeed')}>
          Loading, then success
        </Button>
        <Button variant="default" onClick={() => load('fail')}>
          Loading, then error
        </Button>
        <Button variant="default" onClick={showMany}>
          25 messages
        </Button>
      </Part>
    </PartGroup>
  );
}
