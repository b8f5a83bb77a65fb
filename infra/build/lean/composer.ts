// The composer's table of media types by file name: each part of a message states its own.
export const detectMimeType = (): string => 'application/octet-stream';
export const detectExtension = (): string => 'bin';
// Its client of HTTP, for attachments by their URL, of which it is told to fetch none.
export default (): Promise<never> => Promise.reject(new Error('A message has nothing that is fetched.'));
