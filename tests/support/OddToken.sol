// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// A token that behaves as some real ones do, and as an attacker's would.
contract OddToken {
    uint8 public constant decimals = 18;
    mapping(address => uint256) public balanceOf;
    mapping(address => bool) public refused;
    /// 0: as it should. 1: paused. 2: answers false. 3: calls its caller back.
    uint256 public mode;
    address public other;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function set(uint256 newMode, address newOther) external {
        mode = newMode;
        other = newOther;
    }

    function refuse(address owner, bool value) external {
        refused[owner] = value;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        require(mode != 1 && !refused[msg.sender], "refused");
        if (mode == 2) return false;
        if (mode == 3) attack(msg.sender);
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        emit Transfer(msg.sender, to, amount);
        return true;
    }

    /// Everything that a stranger could try at a delegated account.
    function attack(address victim) public {
        bool done;
        (done, ) = victim.call(abi.encodeWithSignature("sweep(address)", other));
        (done, ) = victim.call(abi.encodeWithSignature("sweep(address)", address(0)));
        address[] memory all = new address[](1);
        all[0] = victim;
        (done, ) = victim.call(abi.encodeWithSignature("sweepMany(address,address[])", other, all));
        (done, ) = victim.call(abi.encodeWithSignature("transfer(address,uint256)", address(this), 1));
        (done, ) = victim.call(abi.encodeWithSignature("execute(address,uint256,bytes)", address(this), 1, ""));
        done = false;
    }
}
