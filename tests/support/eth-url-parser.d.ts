/** The package ships no types. https://eips.ethereum.org/EIPS/eip-681 */
declare module "eth-url-parser" {
  export function parse(uri: string): {
    scheme: string;
    target_address: string;
    chain_id?: string;
    function_name?: string;
    parameters?: Record<string, string>;
  };
}
