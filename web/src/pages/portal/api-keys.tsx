import { OwnApiKeyScreen } from '#features/own-api-key/screen.tsx';

export function OwnApiKeyPage() {
  return <OwnApiKeyScreen />;
}
