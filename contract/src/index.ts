export const productName = 'Sluice';
